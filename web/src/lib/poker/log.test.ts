import { beforeEach, describe, expect, test, vi } from "vitest";
import { data } from "../../../testing/data";
import { announcer } from "../ui/announcer.svelte";
import { mayMove, TableLog } from "./log.svelte";
import type { End, HandView, Last, Own, RoundView, TableView } from "../net/protocol";

const rulesOf = () => data.rules.california;
const ANTE = { spot: "ante", cents: 500 };
const CARDS = [40, 17, 10]; // Q-6-4
let log: TableLog;
let aloud: string[];
let version = 0;

const place = (number: number, player: string) => ({ place: number, player, stack: 1000 });
const PLACES = [place(2, "Ann"), place(3, "Bo (bot)"), place(5, "Cleo")];
const round = (hand: Partial<HandView> = {}, change: Partial<RoundView> = {}): RoundView => ({
  round: 7,
  commitment: "c",
  banker: 3,
  bank: 50_000,
  first: 1,
  hands: [{ place: 2, seat: 1, wagers: [ANTE], ...hand }],
  ...change,
});
const view = (change: Partial<TableView> = {}) =>
  ({ version: ++version, phase: "between", places: PLACES, ...change }) as TableView;
const ANN: Own = { place: 2 };
const see = (now: TableView, own = ANN, player = "Ann") => log.see(now, own, player, rulesOf);
const lines = () => log.lines.map((line) => line.text).reverse();

const MINE: HandView = {
  place: 2,
  seat: 1,
  wagers: [ANTE],
  move: "play",
  fee: 100,
  cards: CARDS,
};
const CLEOS: HandView = { place: 5, seat: 2, wagers: [ANTE], move: "fold", fee: 50 };
const LAST: Last = {
  round: round({}, { hands: [MINE, CLEOS], dealer: [36, 13, 9], bank_fee: 200 }),
  end: {
    type: "round.settled/1",
    at: 1,
    round: 7,
    seed: "s",
    net: -700,
    banker: 3,
    bank: 50_000,
    bank_left: 0,
    places: [
      {
        place: 2,
        seat: 1,
        net: 500,
        wagers: [
          { wager: "ante", stake: 500, net: 500, action: 500, clause: "CA-15" },
          { wager: "play", stake: 500, net: 0, action: 0, clause: "CA-15" },
        ],
      },
      { place: 5, seat: 2, net: 200, wagers: [] },
    ],
  } as End,
  players: { 2: "Ann", 3: "Bo (bot)", 5: "Cleo" },
};

beforeEach(() => {
  log = new TableLog();
  aloud = [];
  vi.spyOn(announcer, "tell").mockImplementation((text) => void aloud.push(text));
});

describe("the log", () => {
  test("tells nothing of what was there at first, and nothing twice", () => {
    see(view({ phase: "betting", round: round(), last: LAST }));
    expect(lines()).toEqual([]);
    const betting = view({ phase: "betting", round: round({}, { round: 8 }), last: LAST });
    see(betting);
    see({ ...betting, places: [] });
    expect(lines()).toEqual(["Round 8. Bets are open. Bo banks with $500.00."]);
  });

  test("has the newest line first, and sixty at most", () => {
    for (let n = 1; n <= 61; n++) log.write(`line ${n}`);
    expect(log.lines[0]).toEqual({ n: 61, text: "line 61" });
    expect([log.lines.length, log.lines.at(-1)!.text]).toEqual([60, "line 2"]);
  });

  test("lists players who come and go, without saying it aloud", () => {
    see(view());
    see(view({ places: [PLACES[0]!, PLACES[1]!, place(5, "Dan")] }));
    expect(lines()).toEqual(["Dan sits down.", "Cleo has left."]);
    expect(aloud).toEqual([]);
  });
});

describe("a new phase", () => {
  test("is announced once", () => {
    see(view());
    see(view({ phase: "betting", round: round() }));
    see(view({ phase: "betting", round: round({ wagers: [] }) }));
    expect(aloud).toEqual(["Round 7. Bets are open. Bo banks with $500.00."]);
    expect(lines()).toEqual(aloud);
  });

  test("says that you bank", () => {
    see(view());
    see(view({ phase: "betting", round: round() }), { place: 3 }, "Bo (bot)");
    expect(aloud).toEqual(["Round 7. Bets are open. You bank with $500.00."]);
  });

  test("says who is offered the bank, aloud only to them", () => {
    see(view());
    see(view({ phase: "offering", offered_to: 5 }));
    expect([lines(), aloud]).toEqual([["The bank is offered to Cleo."], []]);
    see(view({ phase: "offering", offered_to: 2 }));
    expect(aloud).toEqual(["Your turn to bank. Take it?"]);
  });

  test("says what you hold and what the dealer shows", () => {
    see(view());
    const deciding = view({
      phase: "deciding",
      round: round({}, { dealer: [47, null, null] as unknown as number[] }),
    });
    see(deciding, { place: 2, hand: 2, cards: CARDS });
    expect(aloud).toEqual([
      "You have queen-high: queen of clubs, six of diamonds and four of hearts." +
        " The dealer shows a king. Play or fold?",
    ]);
  });

  test("names no hand for a player who has none", () => {
    see(view());
    see(view({ phase: "deciding", round: round() }), { place: 5 });
    expect(aloud).toEqual(["No more bets."]);
  });

  test("is announced to a player who sat down after it began", () => {
    see(view({ phase: "betting", round: round() }), {});
    see(view({ phase: "betting", round: round() }));
    expect(aloud).toEqual(["Round 7. Bets are open. Bo banks with $500.00."]);
  });

  test("is announced when the table closes", () => {
    see(view());
    see(view({ phase: "closed" }));
    expect(aloud).toEqual(["The table is closed."]);
  });
});

describe("a round that has ended", () => {
  test("announces your own result; results of others are only logged", () => {
    see(view());
    see(view({ last: LAST }));
    see(view({ last: LAST }));
    expect(aloud).toHaveLength(1);
    expect(aloud[0]).toBe(
      "Dealer doesn't qualify. Ante wins $5.00, Play is returned." +
        " You won $4.00 after the $1.00 fee.",
    );
    expect(lines()).toEqual(["Round 7: Cleo +$1.50.", aloud[0]]);
  });

  test("announces the bank's result to the banker", () => {
    see(view(), { place: 3 }, "Bo (bot)");
    see(view({ last: LAST }), { place: 3 }, "Bo (bot)");
    expect(aloud).toEqual([
      "Your bank lost $9.00, fee included. Dealer has jack-high and doesn't qualify. The bank ran out.",
    ]);
    expect(lines()[0]).toBe("Round 7: Ann +$4.00, Cleo +$1.50.");
  });

  test("goes by the place a player had then, not by the seat now", () => {
    see(view(), { place: 6 }, "Zoe");
    see(view({ last: LAST, places: [place(2, "Zoe")] }), { place: 2 }, "Zoe");
    expect(aloud).toEqual([]);
    expect(lines().at(-1)).toBe("Round 7: Ann +$4.00, Cleo +$1.50.");
  });

  test("lists results in order of action", () => {
    see(view(), {}, "Zoe");
    see(view({ last: { ...LAST, round: { ...LAST.round, first: 2 } } }), {}, "Zoe");
    expect(lines()).toEqual(["Round 7: Cleo +$1.50, Ann +$4.00."]);
  });

  test("without a result is void", () => {
    const end = { type: "round.voided/1", round: 7, reason: "misdeal" } as End;
    see(view());
    see(view({ last: { ...LAST, end } }));
    expect(aloud).toEqual(["Round 7 is void: misdeal. All bets and fees are returned."]);
  });
});

describe("a hand may be decided", () => {
  const own: Own = { place: 2, hand: 2, cards: CARDS };
  const deciding = (hand: Partial<HandView> = {}, change: Partial<TableView> = {}) =>
    view({ phase: "deciding", round: round(hand), ...change });

  test("while one decides, with an Ante and no move yet", () => {
    expect(mayMove(deciding(), own)).toBe(true);
    expect(mayMove(deciding({ move: "fold" }), own)).toBe(false);
    expect(mayMove(deciding({ wagers: [{ spot: "bonus", cents: 100 }] }), own)).toBe(false);
    expect(mayMove(deciding({}, { phase: "betting" }), own)).toBe(false);
    expect(mayMove(deciding(), { place: 2 })).toBe(false);
    expect(mayMove(deciding(), { ...own, hand: 5 })).toBe(false);
  });
});

test("the log survives a reload, and each player has their own", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const first = new TableLog();
  first.see(view({ table: "house" }), {}, "Ann", rulesOf);
  first.write("Ben sits down.");
  const [again, other] = [new TableLog(), new TableLog()];
  again.see(view({ table: "house" }), {}, "Ann", rulesOf);
  other.see(view({ table: "house" }), {}, "Cat", rulesOf);
  again.write("Ben has left.");
  expect(again.lines.map((line) => [line.n, line.text])).toEqual([
    [2, "Ben has left."],
    [1, "Ben sits down."],
  ]);
  expect(other.lines).toEqual([]);
});
