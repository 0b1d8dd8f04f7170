/** The shortest way to a first hand: a name, their own practice table, and a seat at it. */
import type { OpenedTable } from "../../generated/server";
import { guestName } from "../../texts/lobby";
import { account } from "../net/account.svelte";
import { ApiError, call, type Room, type TableLine } from "../net/api";

/** What a player brings to the practice table, in cents. */
const BUY_IN = 100_000;
/** How long to wait for a seat before the table itself offers one, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Take the visitor to a seat at their own practice table; return the table's name. Where they may
 * not open one, at a table of the room.
 */
export async function playNow(): Promise<string> {
  if (!account.me) await account.enter(guestName(fourDigits()));
  const table = await practiceTable().catch(async (error: unknown) => {
    const isRefused = error instanceof ApiError && error.code === "tables.many";
    const open = isRefused && openTable((await call<Room>("GET", "/api/room")).tables);
    if (!open) throw error;
    return open;
  });
  await takeSeat(table, Math.min(BUY_IN, account.me!.wallet));
  return table;
}

const practiceTable = async () => (await call<OpenedTable>("POST", "/api/practice")).table;

type Openness = Pick<
  TableLine,
  "table" | "game" | "places" | "players" | "bots" | "disabled" | "closing"
>;

/** A table of the room with a free seat, best one with cards; none if there is none. */
export function openTable(lines: readonly Openness[]): string | undefined {
  const open = lines.filter(
    ({ players, bots, places, disabled, closing }) =>
      players + bots < places && !disabled && closing === null,
  );
  return (open.find((line) => line.game === "three_card_poker") ?? open[0])?.table;
}

function fourDigits(): number {
  return 1000 + (crypto.getRandomValues(new Uint32Array(1))[0]! % 9000);
}

/** Sit down at a table, unless the player sits there already; where that fails, the table offers a seat. */
async function takeSeat(table: string, cents: number): Promise<void> {
  const { TableSocket } = await import("../net/socket.svelte");
  await new Promise<void>((done) => {
    let asked = false;
    const finish = () => {
      clearTimeout(timer);
      socket.leave();
      done();
    };
    const timer = setTimeout(finish, PATIENCE);
    const socket = new TableSocket(table, {
      onHello: () => undefined,
      onChange: () => socket.ended && finish(),
      onView: () => {
        const { view, own } = socket;
        if (asked || !view) return;
        asked = true;
        const place = freePlace(
          view.settings.places,
          view.places.map(({ place }) => place),
        );
        if (own.place !== undefined || place === undefined || !cents) return finish();
        void socket.ask({ type: "sit", place, cents }).then(finish, finish);
      },
    });
  });
}

/** The free place nearest to the middle of the table; none if all are taken. */
export function freePlace(places: number, taken: readonly number[]): number | undefined {
  const middle = (places + 1) / 2;
  return Array.from({ length: places }, (_, index) => index + 1)
    .filter((place) => !taken.includes(place))
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
}
