/**
 * Two plans side by side: a fork and its origin, or two attempts at one goal. Pure and total; a plan equals itself, and
 * comparing the other way round says the same with the sides exchanged.
 */
import { canonicalJson } from "../../values/canonical-json.ts";
import type { Answer } from "../../events/values.ts";
import type { PlanView } from "../plan-view.ts";
import { compareFigures, type Figure } from "./compare-figures.ts";
import { type Change, changeOf, type ComparedStep, compareSteps, type Likeness } from "./compare-steps.ts";
import { diffText, type TextPart } from "./diff-text.ts";

export type PlanComparison = {
  /** The side that was forked from the other one, and where; absent when neither was. */
  readonly fork?: { readonly side: "left" | "right"; readonly fromStep: string };
  /** Of what was asked, how it was planned and how it ended. */
  readonly changes: readonly Change[];
  readonly figures: readonly Figure[];
  readonly answer: AnswerComparison;
  /** What is different first; each step of both plans exactly once. */
  readonly steps: readonly ComparedStep[];
  readonly counts: Readonly<Record<ComparedStep["kind"], number>>;
};

export type AnswerComparison = {
  readonly isSame: boolean;
  readonly status: { readonly left?: Answer["status"]; readonly right?: Answer["status"] };
  readonly text: readonly TextPart[];
  readonly data: Likeness;
};

const FIELDS = ["goal", "strategy", "constraints", "status", "reason", "reasoning", "answerFrom"] as const;

export function comparePlans(left: PlanView, right: PlanView): PlanComparison {
  const steps = compareSteps(left.steps, right.steps);
  const counts = { changed: 0, "only-left": 0, "only-right": 0, same: 0 };
  for (const { kind } of steps) counts[kind] += 1;
  const fork = forkBetween(left, right);
  return {
    ...(fork === undefined ? {} : { fork }),
    changes: FIELDS.flatMap((field) => changeOf(field, left[field], right[field])),
    figures: compareFigures(left, right),
    answer: compareAnswers(left.answer, right.answer),
    steps,
    counts,
  };
}

function forkBetween(left: PlanView, right: PlanView): PlanComparison["fork"] {
  if (right.fork?.planId === left.planId) return { side: "right", fromStep: right.fork.fromStep };
  if (left.fork?.planId === right.planId) return { side: "left", fromStep: left.fork.fromStep };
  return undefined;
}

function compareAnswers(left: Answer | undefined, right: Answer | undefined): AnswerComparison {
  const text = diffText(left?.text ?? "", right?.text ?? "");
  const data = likenessOfData(left?.data, right?.data);
  const isSame =
    left?.status === right?.status &&
    text.every(({ side }) => side === "both") &&
    (data === "none" || data === "equal");
  const status = {
    ...(left === undefined ? {} : { left: left.status }),
    ...(right === undefined ? {} : { right: right.status }),
  };
  return { isSame, status, text, data };
}

function likenessOfData(left: Answer["data"], right: Answer["data"]): Likeness {
  if (left === undefined || right === undefined) return left === right ? "none" : "one";
  return canonicalJson(left) === canonicalJson(right) ? "equal" : "different";
}
