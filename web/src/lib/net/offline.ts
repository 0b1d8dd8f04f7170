/** A page that opens again without a connection, once it was asked for. */

/** Keep the page in this browser, if the browser can. */
export async function keepPage(): Promise<void> {
  try {
    const worker = `${import.meta.env.BASE_URL}offline.js`;
    await navigator.serviceWorker.register(worker, { scope: "/" });
  } catch {
    // without it the page works as long as it stays open
  }
}
