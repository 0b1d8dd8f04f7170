/** Print a page of the room in a window of its own; the page at hand if there can be none. */
export function printPage(path: string): void {
  const opened = open(path);
  if (!opened) {
    print();
    return;
  }
  opened.addEventListener("load", () => opened.print());
}
