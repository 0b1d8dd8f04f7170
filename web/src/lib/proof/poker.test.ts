import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { parseCards } from "../history/rounds";
import type { PokerBook } from "../net/rulebook";
import { settle } from "./poker";
import type { Hand, PokerProof } from "./types";

const house = data.rules.house.document;
const california = data.rules.california.document;

interface Deal {
  book?: PokerBook;
  cards: string;
  dealer: string;
  move?: "play" | "fold";
  side?: string;
  bank?: number;
}

/** What each wager of one hand comes to: its net and its clause. */
function settled({ book = house, cards, dealer, move = "play", side = "pair_plus", bank }: Deal) {
  const wagers = [
    { spot: "ante", cents: 400 },
    { spot: side, cents: 100 },
  ];
  const hand: Hand = { place: 1, seat: 1, wagers, move };
  const dealt = [...parseCards(cards), ...parseCards(dealer)];
  const proof = {
    rulebook: book,
    hands: [hand],
    places: [1],
    cards: dealt,
    bank: bank ?? null,
    first: 1,
  };
  const { places } = settle(proof as unknown as PokerProof);
  return Object.fromEntries(
    places[0]!.wagers.map((row) => [row.wager, `${row.net} ${row.clause}`]),
  );
}

/** From the weakest to the best; neighbours often differ only in the card that counts last. */
const LADDER = [
  ...["Qh 8d 4s", "Qc 8s 5d", "Qh 9d 2s", "Kh 3d 2c"],
  ...["2h 2d 3c", "2c 2s Kh", "9h 9d 4c", "9c 9s Jh", "9h 9d Ah"],
  ...["2h 4h 7h", "2d 5d 7d", "Ah 2s 3c", "2h 3d 4c", "5h 5d 5c", "6h 6d 6c"],
  ...["Ad 2d 3d", "2s 3s 4s", "Ac Kc Qc"],
];

describe("a hand against the house", () => {
  test.each(LADDER.slice(1).map((better, n) => [better, LADDER[n]!]))(
    "%s beats %s",
    (one, other) => {
      expect(settled({ cards: one, dealer: other }).ante).toBe("400 HO-9");
      expect(settled({ cards: other, dealer: one }).ante).toBe("-400 HO-11");
    },
  );

  test.each([
    ["Ah 9d 4c", "Kh 8d 5s", { ante: "400 HO-9", play: "400 HO-9", pair_plus: "-100 HO-4" }],
    ["Kc 8h 5d", "Kh 8d 5s", { ante: "0 HO-10", play: "0 HO-10", pair_plus: "-100 HO-4" }],
    ["Kc 8h 4d", "Kh 8d 5s", { ante: "-400 HO-11", play: "-400 HO-11", pair_plus: "-100 HO-4" }],
    ["2h 3d 5c", "Jh 8d 5s", { ante: "400 HO-8", play: "0 HO-8", pair_plus: "-100 HO-4" }],
    ["2h 3d 5c", "Qh 8d 5s", { ante: "-400 HO-11", play: "-400 HO-11", pair_plus: "-100 HO-4" }],
    ["2h 2d 5c", "Qh 8d 5s", { ante: "400 HO-9", play: "400 HO-9", pair_plus: "100 HO-4" }],
    ["2h 5h 9h", "3h 3d 5s", { ante: "400 HO-9", play: "400 HO-9", pair_plus: "300 HO-4" }],
    [
      "Ah 2d 3c",
      "Kh Th 5h",
      { ante: "400 HO-9", play: "400 HO-9", ante_bonus: "400 HO-12", pair_plus: "600 HO-4" },
    ],
    [
      "7h 7d 7c",
      "Ah 2d 3c",
      { ante: "400 HO-9", play: "400 HO-9", ante_bonus: "1600 HO-12", pair_plus: "3000 HO-4" },
    ],
    [
      "Ah Kh Qh",
      "7h 7d 7c",
      { ante: "400 HO-9", play: "400 HO-9", ante_bonus: "2000 HO-12", pair_plus: "4000 HO-4" },
    ],
  ])("%s against %s", (cards, dealer, due) => {
    expect(settled({ cards, dealer })).toEqual(due);
  });

  test("after a fold a bonus is lost, or paid where it is read so", () => {
    const fold = { cards: "7h 7d 7c", dealer: "Qh 8d 5s", move: "fold" } as const;
    expect(settled(fold)).toEqual({ ante: "-400 HO-6", pair_plus: "3000 HO-4" });
    const paid = { ...house, ante_bonus: { ...house.ante_bonus!, on_fold: "pay" as const } };
    expect(settled({ ...fold, book: paid })).toMatchObject({ ante_bonus: "1600 HO-12" });
    const lost = { ...house, pair_plus: { ...house.pair_plus!, on_fold: "forfeit" as const } };
    expect(settled({ ...fold, book: lost })).toEqual({ ante: "-400 HO-6", pair_plus: "-100 HO-4" });
  });

  test.each([
    ["none", "400", "400"],
    ["pair", "400", "0"],
    ["king-high", "400", "0"],
  ] as const)("the dealer qualifies with %s", (qualifier, ante, play) => {
    const due = settled({ book: { ...house, qualifier }, cards: "Ah 9d 4c", dealer: "Qh 8d 5s" });
    expect([due["ante"]!.split(" ")[0], due["play"]!.split(" ")[0]]).toEqual([ante, play]);
  });
});

describe("a hand against a player's bank", () => {
  const rich = { book: california, side: "bonus", bank: 1_000_000 };

  test.each([
    ["ahead", "Ah 9d 4c", "400"],
    ["ahead", "2h 9d 4c", "0"],
    ["win", "2h 9d 4c", "400"],
    ["push", "Ah 9d 4c", "0"],
  ] as const)("a dealer who is short, read as %s, with %s", (short_ante, cards, ante) => {
    const due = settled({
      ...rich,
      book: { ...california, short_ante },
      cards,
      dealer: "Jh 8d 5s",
    });
    expect(due["ante"]).toBe(`${ante} CA-15`);
  });

  test.each([
    ["push", "0"],
    ["win", "400"],
    ["lose", "-400"],
  ] as const)("equal hands %s", (tie, net) => {
    const due = settled({
      ...rich,
      book: { ...california, tie },
      cards: "Kc 8h 5d",
      dealer: "Kh 8d 5s",
    });
    expect([due["ante"], due["play"]]).toEqual([`${net} CA-18`, `${net} CA-18`]);
  });

  test("a royal flush is paid by itself, and a fold forfeits the bonus", () => {
    const royal = { ...rich, cards: "Ah Kh Qh", dealer: "Kc 8h 5d" };
    expect(settled(royal)["bonus"]).toBe("5000 CA-19");
    expect(settled({ ...royal, book: { ...california, royal_flush: false } })["bonus"]).toBe(
      "4000 CA-19",
    );
    expect(settled({ ...royal, move: "fold" })).toEqual({
      ante: "-400 CA-13",
      bonus: "-100 CA-13",
    });
  });

  test("what the bank does not reach is not paid", () => {
    const due = settled({ ...rich, cards: "2h 2d 5c", dealer: "Qh 8d 5s", bank: 600 });
    expect(due).toEqual({ ante: "400 CA-16", play: "200 CA-16", bonus: "0 CA-21" });
  });

  test("a fold read as lost is collected whole, whatever is left", () => {
    const bank = { ...california.bank!, fold_uncovered: "lost" as const };
    const fold = { ...rich, cards: "2h 3d 5c", dealer: "Qh 8d 5s", move: "fold", bank: 1 } as const;
    expect(settled(fold)).toEqual({ ante: "-1 CA-13", bonus: "0 CA-21" });
    expect(settled({ ...fold, book: { ...california, bank } })).toEqual({
      ante: "-400 CA-13",
      bonus: "-100 CA-13",
    });
  });

  test.each([
    ["seat", { ante: "400 CA-16", play: "50 CA-16", bonus: "0 CA-21" }],
    ["wager", { ante: "400 CA-16", play: "50 CA-16", bonus: "0 CA-21" }],
    ["bonus_first", { ante: "350 CA-16", play: "0 CA-21", bonus: "100 CA-19" }],
  ] as const)("wagers of a seat are met by %s", (settle_order, due) => {
    const book = { ...california, bank: { ...california.bank!, settle_order } };
    const hand = { ...rich, book, cards: "2h 2d 5c", dealer: "Qh 8d 5s", bank: 450 };
    expect(settled(hand)).toEqual(due);
  });
});
