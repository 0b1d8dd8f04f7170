import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { Happened, Recalled } from "./rounds";
import { replay } from "./replay";

const ANTE = { spot: "ante", cents: 500 };
const won = (wager: string, net: number, stake = 500) => ({
  wager,
  stake,
  net,
  action: Math.abs(net),
  clause: "CA-16",
});

/** Ann, at place 2, plays against Bo's bank; Cleo, at place 5, folds. */
const ROUND = {
  ended: "settled",
  game: "three_card_poker",
  place: 2,
  seats: { 2: 1, 5: 2 },
  players: { 2: "Ann", 3: "Bo (bot)", 5: "Cleo" },
  banker: 3,
  first: 2,
  up: 1,
  ace_low: true,
  net: 1000,
  fee: 100,
  wagers: [],
  hands: { 1: "Qs 9d 4c" },
  dealer: "Jc 5d 4s",
  credits: { before: 10_000, after: 10_900 },
  events: [
    { type: "bank.posted/1", place: 3, player: "Bo (bot)", cents: 50_000 },
    { type: "round.opened/1" },
    { type: "seed.added/1", place: 2, player: "Ann", seed: "mine" },
    { type: "wagers.placed/1", place: 2, player: "Ann", wagers: [ANTE] },
    { type: "wagers.placed/1", place: 5, player: "Cleo", wagers: [ANTE] },
    {
      type: "bets.closed/1",
      fees: [
        { place: 2, cents: 100 },
        { place: 5, cents: 100 },
        { place: 3, cents: 200 },
      ],
    },
    { type: "cards.dealt/1" },
    { type: "move.made/1", place: 2, player: "Ann", move: "play", cents: 500 },
    { type: "move.made/1", place: 5, player: "Cleo", move: "fold", silent: true },
    {
      type: "round.settled/1",
      net: -500,
      bank_left: 0,
      places: [
        { place: 2, seat: 1, net: 1000, wagers: [won("ante", 500), won("play", 500)] },
        { place: 5, seat: 2, net: -500, wagers: [won("ante", -500)] },
      ],
    },
  ],
} as unknown as Recalled;

const round = (events: Partial<Happened>[], change: Partial<Recalled> = {}) =>
  replay({ ...ROUND, banker: null, ...change, events: events as Happened[] });
const texts = (frames: { text: string }[]) => frames.map((frame) => frame.text);

describe("a round step by step", () => {
  const frames = replay(ROUND);
  const after = (start: string) => frames.find(({ text }) => text.startsWith(start))!.scene;

  test("follows its events, then each place in order of action", () => {
    expect(texts(frames)).toEqual([
      "Bo banks $500.00.",
      "Bets open. The table's seed is locked in.",
      "You add the seed “mine”.",
      "You put $5.00 on Ante.",
      "Cleo puts $5.00 on Ante.",
      "No more bets. $4.00 in fees.",
      "Cards are dealt. You have queen-high. The dealer shows a jack.",
      "You play: $5.00 more.",
      "The clock folds Cleo's hand.",
      "The dealer has jack-high.",
      "Cleo: Ante loses $5.00. Fee $1.00.",
      "You: Ante wins $5.00 and Play wins $5.00. Fee $1.00.",
      "Bo's bank lost $7.00, fee included. The bank ran out.",
      "You won $9.00 after the $1.00 fee." +
        " Your stack: $100.00 before this round, $109.00 after it.",
    ]);
  });

  test("shows no card, move or result before its step", () => {
    expect(after("No more bets")).toMatchObject({ dealt: false, shown: false, moves: {} });
    expect(after("Cards are dealt")).toMatchObject({ dealt: true, shown: false, moves: {} });
    expect(after("You play")).toMatchObject({ shown: false, moves: { 2: "play" }, results: {} });
    expect(after("The dealer has")).toMatchObject({ shown: true, results: {} });
    expect(after("Cleo: ")).toMatchObject({ results: { 5: -600 } });
    expect(after("You: ").results).toEqual({ 2: 900, 5: -600 });
    expect(after("Bo's bank").results).toEqual({ 2: 900, 3: -700, 5: -600 });
  });

  test("has the bank and all wagers on the felt, Play with the move", () => {
    expect(after("You add").bank).toBe(50_000);
    expect(after("Cleo puts").wagers).toEqual({ 2: [ANTE], 5: [ANTE] });
    expect(after("The clock folds").wagers).toEqual({
      2: [ANTE, { spot: "play", cents: 500 }],
      5: [ANTE],
    });
  });

  test("names whose step it was, and nobody at the others", () => {
    expect(frames.map((frame) => frame.scene.place)).toEqual([
      3,
      null,
      2,
      2,
      5,
      null,
      null,
      2,
      5,
      null,
      5,
      2,
      3,
      null,
    ]);
  });
});

describe("the verdict at the end", () => {
  const rules = data.rules.california;
  const end = (change: Partial<Recalled> = {}) => replay({ ...ROUND, ...change }, rules).at(-1)!;

  test("is the one that the felt gave", () => {
    const { verdict } = end().scene;
    expect(verdict).toMatchObject({
      net: 900,
      headline: "+$9.00",
      why: "Dealer doesn't qualify. Ante and Play win $5.00 each. Fee $1.00.",
    });
    expect(verdict!.spoken).toBe(
      "Dealer doesn't qualify. Ante and Play win $5.00 each. You won $9.00 after the $1.00 fee.",
    );
    expect(end().text).toBe("Your stack: $100.00 before this round, $109.00 after it.");
    expect(end().scene.results[2]).toBe(verdict!.net);
  });

  test("of a tie with a fee of a dollar is a dollar down", () => {
    const wagers = [won("ante", 0), won("play", 0)];
    const places = [{ place: 2, seat: 1, net: 0, wagers }];
    const events = ROUND.events.map((event) =>
      event.type === "round.settled/1" ? { ...event, places } : event,
    );
    const tie = end({ events, dealer: "Qc 9s 4d", net: 0, credits: { before: 500, after: 400 } });
    expect(tie.scene.verdict!.headline).toBe("−$1.00");
    expect(tie.scene.verdict!.spoken).toContain(
      "You're down $1.00 – the cards were even, the fee was $1.00.",
    );
  });

  test("is the banker's where the player banked, and none before the end", () => {
    const banked = replay({ ...ROUND, place: 3, players: { ...ROUND.players, 3: "Bo" } }, rules);
    expect(banked.at(-1)!.scene.verdict).toMatchObject({
      isBank: true,
      net: -700,
      why: "Your bank lost $7.00, fee included. Dealer has jack-high and doesn't qualify. The bank ran out.",
    });
    expect(banked.slice(0, -1).every((frame) => frame.scene.verdict === null)).toBe(true);
  });

  test("says that the clock moved", () => {
    const cleo = end({ place: 5, hands: { 2: "9s 5d 4c" } });
    expect(cleo.scene.verdict!.why).toBe(
      "The clock folded your hand. Ante loses $5.00. Fee $1.00.",
    );
  });
});

describe("a step", () => {
  test("of a player who had your place before you is theirs", () => {
    const events = [{ type: "wagers.placed/1", place: 2, player: "Dan", wagers: [ANTE] }];
    expect(texts(round(events))[0]).toBe("Dan puts $5.00 on Ante.");
  });

  test("that takes wagers back leaves those of others", () => {
    const [, , taken] = round([
      { type: "wagers.placed/1", place: 2, player: "Ann", wagers: [ANTE] },
      { type: "wagers.placed/1", place: 5, player: "Cleo", wagers: [ANTE] },
      { type: "wagers.cleared/1", place: 2, player: "Ann", cents: 500 },
    ]);
    expect([taken!.text, taken!.scene.wagers]).toEqual(["You take back $5.00.", { 5: [ANTE] }]);
  });

  test("that adds wagers leaves those before", () => {
    const bonus = { spot: "bonus", cents: 100 };
    const [, both] = round([
      { type: "wagers.placed/1", place: 2, player: "Ann", wagers: [ANTE] },
      { type: "wagers.placed/1", place: 2, player: "Ann", wagers: [bonus] },
    ]);
    expect(both!.scene.wagers[2]).toEqual([ANTE, bonus]);
  });

  test("of a void takes everything off the felt", () => {
    const frames = round([
      { type: "bank.posted/1", place: 3, player: "Bo (bot)", cents: 50_000 },
      { type: "wagers.placed/1", place: 2, player: "Ann", wagers: [ANTE] },
      { type: "round.voided/1", reason: "misdeal" },
    ]);
    expect(frames[2]!.text).toBe("The round is void: misdeal. All bets and fees are returned.");
    expect(frames[2]!.scene).toMatchObject({ bank: null, wagers: {} });
  });

  test("of a ruling says what happened, and takes a void hand off the felt", () => {
    const ruled = { kind: "exposed_player", clause: "IR-2", reason: "seen", place: 5 } as const;
    const [, , ruling, back] = round([
      { type: "wagers.placed/1", place: 2, player: "Ann", wagers: [ANTE] },
      { type: "wagers.placed/1", place: 5, player: "Cleo", wagers: [ANTE] },
      { type: "incident.ruled/1", player: "Cleo", ruling: "void_hand", ...ruled },
      { type: "hand.voided/1", place: 5, player: "Cleo", cents: 500, fee: 100 },
    ]);
    expect(ruling!.text).toBe("The floor ruled: exposed card (IR-2). Reason: seen.");
    expect(back!.text).toBe("Cleo's hand is void: $6 is returned.");
    expect(back!.scene.wagers).toEqual({ 2: [ANTE] });
    const on = round([{ type: "incident.ruled/1", player: "Cleo", ruling: "play_on", ...ruled }]);
    expect(on[0]!.text).toContain("Cleo's hand plays on (IR-2).");
  });

  test("that the page does not know is left out", () => {
    expect(round([{ type: "table.changed/1" }])).toHaveLength(1);
    const notice = [{ type: "change.announced/1", reason: "dearer" }];
    expect(round(notice)[0]!.text).toBe("New fees or limits are announced: dearer.");
    const withdrawn = [{ type: "change.withdrawn/1", reason: "a mistake" }];
    expect(round(withdrawn)[0]!.text).toBe("The announced change is withdrawn: a mistake.");
  });

  test("of a wheel has the pocket and each bet", () => {
    const bet = { player: "Ann", bet: "red", stake: 100, net: -50, clause: "RO-22" };
    const frames = round(
      [
        { type: "ball.landed/1", pocket: "0" },
        { type: "spin.settled/1", places: [{ place: 2, net: -50, bets: [bet] }] },
      ],
      { game: "roulette", dealer: "", net: -50, fee: 0 },
    );
    expect(texts(frames)).toEqual([
      "The ball lands on 0.",
      "You: Red loses $0.50, and $0.50 is returned.",
      "You lost $0.50. Your stack: $100.00 before this round, $109.00 after it.",
    ]);
    expect(frames[1]!.scene).toMatchObject({ pocket: "0", results: { 2: -50 } });
  });

  test.each([
    [2, 700, "Your bank won $7.00."],
    [3, 0, "Bo's bank broke even."],
  ])("of the bank at place %i that came to %i: %s", (banker, net, says) => {
    const end = { type: "round.settled/1", net, bank_left: 1, places: [] };
    expect(texts(round([end], { banker, dealer: "" }))[0]).toBe(says);
  });
});
