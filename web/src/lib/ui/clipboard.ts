/** Put a text on the clipboard; return whether it is there. */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text, button); // browsers keep the clipboard back on plain http
  }
}

/** Copy as a person would: select a text, beside the button since an open dialog lets nothing outside of it be selected. */
function byHand(text: string, button: HTMLElement): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "unseen";
  button.after(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    button.focus({ preventScroll: true });
  }
}
