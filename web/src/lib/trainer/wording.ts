/** Questions and answers of the trainer in words. */
import type { AnyQuestion } from "./run.svelte";
import type { Result } from "./questions";
import * as text from "../../texts/trainer";

/** What is asked, in a sentence. */
export function questionText(question: AnyQuestion): string {
  switch (question.ask) {
    case "order":
      return text.ORDER;
    case "outcome":
      return text.outcomeOf(question.seat);
    case "amount": {
      const { seat, rows, does } = question;
      if (rows.length < 2) return text.takeFold(seat);
      return does === "pay" ? text.payGame(seat) : text.takeGame(seat);
    }
    case "back":
      return text.backOf(question.seat);
    case "ante_bonus":
      return text.anteBonusOf(question.seat);
    case "side":
      return text.sideOf(question.seat, question.wager, question.rows[0]!.stake);
    case "fee":
      return text.feeOf(question.seat, question.ante);
    case "bank_fee":
      return text.bankFee(question.ante);
    case "chips":
      return text.chipsOn(question.spin.pocket);
  }
}

/** What helps with a question; nothing for most. */
export function hintOf(question: AnyQuestion): string {
  if (question.ask === "back") return text.BACK_HINT;
  if (question.ask === "chips") return text.CHIPS_HINT;
  const mayBeNothing = ["ante_bonus", "side"].includes(question.ask);
  return mayBeNothing || (question.ask === "amount" && question.does === "pay")
    ? text.ZERO_HINT
    : "";
}

/** An answer as a part of a sentence: "seat 3", "$10.00", "5 chips". */
export function answerText({ ask }: AnyQuestion, answer: number | string): string {
  if (ask === "order") return text.seatAnswer(answer);
  if (ask === "outcome") return text.resultAnswer(answer as Result);
  return ask === "chips" ? text.chipsAnswer(Number(answer)) : text.centsAnswer(Number(answer));
}
