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
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

export const route = new Route();
export const to = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;
