/** Calls a player back whose turn it is: in the title and the icon of the tab. */
import { YOUR_TURN } from "../../texts/shell";

class Attention {
  /** The title before; nothing while nobody is called. */
  #title: string | null = null;

  /** Call the player to a table, or with nothing stop calling. */
  call(table: string | null) {
    if (table === null) return this.#restore();
    this.#title ??= document.title;
    document.title = YOUR_TURN(table);
    this.#showIcon("favicon-turn.svg");
  }

  #restore() {
    if (this.#title === null) return;
    document.title = this.#title;
    this.#title = null;
    this.#showIcon("favicon.svg");
  }

  #showIcon(file: string) {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = icon.href.replace(/[^/]*$/, file);
  }
}

export const attention = new Attention();
