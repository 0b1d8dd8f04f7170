import { SOMEONE_ELSE } from "../../texts/shell";
import { pathOf } from "./api";
import {
  complete,
  type Command,
  type FromServer,
  type News,
  type Own,
  type Receipt,
  type TableView,
} from "./protocol";

class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Called for what the socket receives; its state is up to date by then. */
export interface Listener {
  onHello: () => void;
  onView: () => void;
  /** The connection was made, lost or ended. */
  onChange: () => void;
}

interface Waiting {
  text: string;
  done: () => void;
  failed: (error: Refused) => void;
  /** When the room first answered that it can't decide this now. */
  putOffAt?: number;
  /** Sends the command again; set only while the room is known not to work on it. */
  again?: ReturnType<typeof setTimeout> | undefined;
}

/** How long to wait before coming back, in milliseconds: soon at first, as a table that moves is back soon. */
const WAITS = [100, 100, 200, 300, 1000, 2000, 4000];
/** After so long without a message we ask for one, and after so long without an answer we reconnect. */
const SILENCE = 15_000;
const PATIENCE = 5_000;
/** A command without an answer after so long puts the connection in doubt; then an answer must come soon. */
const LATE = 2_000;
const PATIENCE_IN_DOUBT = 1_500;
/** An attempt to connect that took so long has failed. */
const CONNECTING = 8_000;
/** Reasons to close a connection after which the table is served elsewhere, or again. */
const MOVES = new Set(["moved", "stop"]);
/**
 * Refusals that say nothing about the command, and after how long it is sent again: the room can't
 * write now, or the table has moved and the room closes the connection. A new connection sends it
 * at once.
 */
const PUT_OFF: Record<string, number> = {
  "store.failed": 1_000,
  "lease.lost": 4_000,
  "room.stops": 4_000,
};
/** A command that was put off for so long has failed. */
const PUT_OFF_AT_MOST = 60_000;

/** Whether the room takes connections: not while its database does not answer. */
const isReady = async () => !!(await fetch("/readyz").catch(() => null))?.ok;

/**
 * A table over its WebSocket. It comes back by itself; a command that was not answered is sent
 * again with its id, which has one effect however often it is sent.
 */
export class TableSocket {
  view = $state.raw<TableView | null>(null);
  own = $state.raw<Own>({});
  news = $state.raw<News>({});
  /** What the room has signed of the round whose bets are closed, while seeds are shown. */
  receipt = $state.raw<Receipt | undefined>(undefined);
  /** Whether the floor has frozen this player's account. */
  frozen = $state(false);
  player = $state<string | null>(null);
  /** The key that the room signs its log with. */
  key = $state<string | undefined>(undefined);
  connected = $state(false);
  /** The connection seems open, but an answer is late, or the device says that it is offline. */
  inDoubt = $state(false);
  /** The room answers, but lets this connection not in: too many are open. */
  crowded = $state(false);
  /** How often the room has greeted us: once, and again whenever we came back. */
  greeted = $state(0);
  ended = $state<{ code: string; message: string } | null>(null);
  /** What to add to this machine's clock to have the server's. */
  skew = $state(0);

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  #ids = 0;
  #hearing: ReturnType<typeof setTimeout> | undefined;
  #answering: ReturnType<typeof setTimeout> | undefined;
  readonly #me = crypto.getRandomValues(new Uint32Array(2)).join("-");

  constructor(
    readonly table: string,
    readonly listener: Listener,
  ) {
    this.#open();
    addEventListener("offline", this.#doubt);
    addEventListener("online", this.#hurry);
    addEventListener("visibilitychange", this.#hurry);
  }

  /** Come back at once where there is reason to hope; what seems connected may have slept too long. */
  #hurry = () => {
    if (this.#left || this.ended || document.hidden) return;
    if (this.connected) return this.#probe(PATIENCE_IN_DOUBT);
    clearTimeout(this.#timer);
    this.#tries = 0;
    if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#open();
  };

  /** Show at once that the connection may be gone, and find out. */
  #doubt = () => {
    if (!this.connected || this.inDoubt || this.#left) return;
    this.inDoubt = true;
    this.listener.onChange();
    this.#probe(PATIENCE_IN_DOUBT);
  };

  /** A line that is dead without saying so is found by asking. */
  #probe(patience: number) {
    clearTimeout(this.#hearing);
    this.#socket?.send(JSON.stringify({ type: "look" }));
    this.#hearing = setTimeout(() => this.refresh(), patience);
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${pathOf(this.table)}/socket`);
    this.#socket = socket;
    clearTimeout(this.#hearing);
    this.#hearing = setTimeout(() => this.refresh(), CONNECTING);
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#tries = 0;
      this.connected = true;
      this.inDoubt = false;
      this.crowded = false;
      this.listener.onChange();
      this.#listen();
    };
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return;
      this.#listen();
      this.#take(JSON.parse(event.data as string) as FromServer);
    };
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#comeBack(event.reason);
    };
  }

  /** The connection is closed, for a reason that the room may have given: make another. */
  #comeBack(reason: string) {
    this.#socket = null;
    this.#disconnect();
    if (this.#left || reason === "table.closed") return;
    if (this.#tries % 4 === 1) void this.#lookWhetherThere();
    const wait = WAITS[Math.min(this.#tries++, WAITS.length - 1)]!;
    this.#timer = setTimeout(() => this.#open(), wait);
  }

  /** Something was heard: the connection is good, until it has been silent for long. */
  #listen() {
    clearTimeout(this.#hearing);
    this.#hearing = setTimeout(() => this.#probe(PATIENCE), SILENCE);
    if (!this.inDoubt) return;
    this.inDoubt = false;
    this.listener.onChange();
  }

  /** Expect an answer to some command soon. */
  #expectAnswer() {
    clearTimeout(this.#answering);
    this.#answering = undefined;
    if (![...this.#waiting.values()].some(({ again }) => again === undefined)) return;
    this.#answering = setTimeout(() => {
      this.#answering = undefined;
      this.#doubt();
    }, LATE);
  }

  #disconnect() {
    clearTimeout(this.#timer);
    clearTimeout(this.#hearing);
    clearTimeout(this.#answering);
    this.#answering = undefined;
    this.connected = false;
    this.inDoubt = false;
    this.listener.onChange();
  }

  /** A socket does not say why it was not opened: the table may have gone, or the room takes no more of them. */
  async #lookWhetherThere() {
    const answer = await fetch(pathOf(this.table)).catch(() => null);
    const mayBeCrowded = !!answer?.ok && !this.connected && this.#tries > 1;
    this.crowded = mayBeCrowded && (await isReady()) && !this.connected;
    if (answer?.status !== 404) return;
    this.ended = (await answer.json()) as { code: string; message: string };
    this.listener.onChange();
    this.leave();
  }

  #take(message: FromServer) {
    if (message.type === "hello") {
      if (this.greeted && message.player !== this.player) this.#beSomebodyElse();
      for (const waiting of this.#waiting.values()) this.#send(waiting);
      this.#expectAnswer();
      this.player = message.player;
      this.key = message.key;
      this.greeted++;
      this.skew = message.now - Date.now();
      this.listener.onHello();
    } else if (message.type === "view") {
      if (message.view.table !== this.table) return; // nobody asked for another one
      this.skew = message.now - Date.now();
      this.own = message.own ?? {};
      this.news = message.news;
      this.receipt = message.receipt;
      this.frozen = message.frozen ?? false;
      // Nobody is timed while the floor rules, and no bet is sent because time runs out.
      const { deadline, ...rest } = message.view;
      const isTimed = deadline !== undefined && !message.news.ruling;
      this.view = complete(isTimed ? { ...rest, deadline } : rest, this.own);
      this.listener.onView();
    } else if (message.type === "bye") {
      this.ended = message.code === "table.closed" ? message : null;
      this.listener.onChange();
      // The close itself may come a second later, and the table is served again before.
      if (MOVES.has(message.code)) this.#comeBack(message.code);
    } else {
      const waiting = this.#waiting.get(message.id);
      if (!waiting) return;
      if (message.type === "refused" && this.#putOff(waiting, message.code)) return;
      this.#waiting.delete(message.id);
      this.#expectAnswer();
      if (message.type === "answer") waiting.done();
      else waiting.failed(new Refused(message.code, message.message));
    }
  }

  /** Keep a command whose refusal says nothing about it, unless that has lasted too long. */
  #putOff(waiting: Waiting, code: string): boolean {
    const wait = PUT_OFF[code];
    if (wait === undefined) return false;
    waiting.putOffAt ??= Date.now();
    if (Date.now() - waiting.putOffAt >= PUT_OFF_AT_MOST) return false;
    clearTimeout(waiting.again);
    waiting.again = setTimeout(() => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return; // the next hello sends it
      this.#send(waiting);
      this.#expectAnswer();
    }, wait);
    this.#expectAnswer();
    return true;
  }

  #send(waiting: Waiting) {
    clearTimeout(waiting.again);
    waiting.again = undefined;
    this.#socket?.send(waiting.text);
  }

  /** Forget what only the player before may see, and what they asked for. */
  #beSomebodyElse() {
    for (const { failed, again } of this.#waiting.values()) {
      clearTimeout(again);
      failed(new Refused("login.changed", SOMEONE_ELSE));
    }
    this.#waiting.clear();
    this.own = {};
    this.view = null;
  }

  /** Send a command; settled once it is on disk at the server, or refused. */
  ask(command: Command): Promise<void> {
    const id = `${this.#me}.${++this.#ids}`;
    const text = JSON.stringify({ id, ...command });
    return new Promise((done, failed) => {
      this.#waiting.set(id, { text, done, failed });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
      if (this.#answering === undefined) this.#expectAnswer();
    });
  }

  /** Enter again with the session that the browser has now. */
  refresh() {
    const old = this.#socket;
    this.#disconnect();
    this.#open();
    old?.close();
  }

  leave() {
    this.#left = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#hearing);
    clearTimeout(this.#answering);
    for (const { again } of this.#waiting.values()) clearTimeout(again);
    removeEventListener("offline", this.#doubt);
    removeEventListener("online", this.#hurry);
    removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }
}
