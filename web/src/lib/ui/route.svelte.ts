/** Where in the page we are: `#/`, `#/table/california`, `#/history`, `#/odds/california`. */
class Route {
  parts = $state<string[]>(read());

  constructor() {
    addEventListener("hashchange", () => {
      this.parts = read();
      scrollTo(0, 0);
    });
  }

  get screen() {
    return this.parts[0] ?? "";
  }
}

function read(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);
}

/** What cannot be decoded is taken as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = new Route();
export const to = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;
