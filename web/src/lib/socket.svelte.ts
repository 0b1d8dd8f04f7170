import { at } from "./api";
import { complete, type Command, type FromServer, type News, type Own, type TableView } from "./protocol";

export class Refused extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

interface Waiting {
  text: string;
  done: () => void;
  failed: (error: Refused) => void;
}

/** How long to wait before coming back, in milliseconds: soon at first, then less often. */
const WAITS = [100, 300, 1000, 2000, 4000];

/**
 * A table over its WebSocket. It comes back by itself; a command that was not answered is sent
 * again with its id, which has one effect however often it is sent.
 */
export class TableSocket {
  view = $state.raw<TableView | null>(null);
  own = $state.raw<Own>({});
  news = $state.raw<News>({});
  player = $state<string | null>(null);
  connected = $state(false);
  ended = $state<{ code: string; message: string } | null>(null);
  /** What to add to this machine's clock to have the server's. */
  skew = $state(0);

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  #ids = 0;
  readonly #me = crypto.getRandomValues(new Uint32Array(2)).join("-");

  constructor(readonly table: string) {
    this.#open();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const since = this.view ? `?since=${this.view.version}` : "";
    const path = `${at(this.table)}/socket${since}`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.connected = true;
      for (const { text } of this.#waiting.values()) socket.send(text);
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data as string) as FromServer);
    socket.onclose = (event) => {
      this.connected = false;
      if (this.#left || event.reason === "table.closed") return;
      const wait = WAITS[Math.min(this.#tries++, WAITS.length - 1)]!;
      this.#timer = setTimeout(() => this.#open(), wait);
    };
  }

  #take(said: FromServer) {
    if (said.type === "hello") {
      this.player = said.player;
      this.skew = said.now - Date.now();
    } else if (said.type === "view") {
      this.skew = said.now - Date.now();
      this.own = said.own ?? {};
      this.news = said.news;
      this.view = complete(said.view, this.own);
    } else if (said.type === "bye") {
      this.ended = said.code === "table.closed" ? said : null;
    } else {
      const waiting = this.#waiting.get(said.id);
      this.#waiting.delete(said.id);
      if (said.type === "answer") waiting?.done();
      else waiting?.failed(new Refused(said.code, said.message));
    }
  }

  /** Send a command; settled once it is on disk at the server, or refused. */
  ask(command: Command): Promise<void> {
    const id = `${this.#me}.${++this.#ids}`;
    const text = JSON.stringify({ id, ...command });
    return new Promise((done, failed) => {
      this.#waiting.set(id, { text, done, failed });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  /** Enter again with the session that the browser has now. */
  refresh() {
    this.#socket?.close();
  }

  leave() {
    this.#left = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
}
