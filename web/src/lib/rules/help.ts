/** The rules of a table in a few sentences, made from its own keys. */
import type { TableView } from "../net/protocol";
import { payTable, type PokerRules, type Rules, type WheelRules } from "../net/rulebook";
import { kindName } from "../poker/hands";
import { sideBets } from "../poker/settlement";
import { list } from "../text/format";
import * as text from "../../texts/rules";
import { limitRows } from "./rule_card";

/** What a player does in a round of poker, one sentence for each step. */
export function roundSteps(rules: PokerRules): string[] {
  const { document } = rules;
  const [[, ante], ...sides] = limitRows(rules) as [[string, string], ...[string, string][]];
  const bonus = document.ante_bonus;
  return [
    text.betAnte(ante, document.ante.required),
    ...sides.map(([name, limits], index) =>
      [
        text.sideBet(name, limits),
        text.sideBetOnFold(name, onFold(rules, sideBets(rules)[index]!) === "forfeit"),
      ].join(" "),
    ),
    text.seeCards(document.up ?? 0),
    text.PLAY_OR_FOLD,
    ...(bonus ? [text.anteBonus(list(Object.keys(bonus.pays).map(kindName)))] : []),
  ];
}

const onFold = (rules: PokerRules, wager: string) => payTable(rules.document, wager)?.on_fold;

/** What a player of roulette has to know beside the bets. */
export function wheelFacts(rules: WheelRules): string[] {
  const { zeros, zero } = rules.document;
  const [[, limits]] = limitRows(rules) as [[string, string]];
  return [
    text.wheelPockets(zeros),
    text.wheelLimits(limits),
    text.ON_ZERO[zero?.on_zero ?? "lose"] ?? "",
  ].filter(Boolean);
}

/** How long players have, and what happens to those who are away. */
export function timeFacts(rules: Rules, view: TableView): string[] {
  const { pace, silence } = view.settings;
  const clock =
    rules.game === "roulette"
      ? text.wheelClock(pace.bets)
      : text.pokerClock(pace.bets, pace.moves, silence === "fold");
  return [text.NO_CLOCK, clock, text.AWAY];
}

/** What the floor rules when a round goes wrong, by the clauses that can happen at a table here. */
export const irregularFacts = (rules: Rules): string[] =>
  rules.clauses
    .filter(({ id }) => AT_A_TABLE.includes(id))
    .map((clause) => text.byClause(clause.text, clause.id));
/** The others concern hands that are dealt with real cards. */
const AT_A_TABLE = ["IR-1", "IR-2", "IR-3", "IR-7"];

/** Who pays the winners. */
export const bankFacts = (rules: PokerRules, view: TableView): string[] =>
  rules.document.bank
    ? [
        text.bankText(rules.document.bank.fold_uncovered === "lost"),
        text.leastBank(view.settings.least_bank),
      ]
    : [text.HOUSE_BANKS];
