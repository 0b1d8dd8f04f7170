/* Runs beside the page in a browser where a dealer's tool was opened: it keeps the page there, so that
   the tool opens again without a connection. The build adds BUILD and PARTS, all files of the page. */
const PAGE = "/";
/** How long a room may take to answer, in milliseconds. */
const PATIENCE = 4_000;
const KEPT = `queenhigh-page-${BUILD}`;

// Another build of the page is another worker: it takes over once no tab shows this one.
addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

async function keep() {
  const cache = await caches.open(KEPT);
  await cache.addAll([PAGE, ...PARTS]);
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name !== KEPT);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

// Where the room answers, the page is the room's.
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" && pathname === PAGE)
    event.respondWith(
      fetch(request, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => kept(PAGE)),
    );
  else if (PARTS.includes(pathname)) event.respondWith(kept(pathname, request));
});

async function kept(part, request) {
  const cache = await caches.open(KEPT);
  return (await cache.match(part)) ?? (request ? fetch(request) : Response.error());
}
