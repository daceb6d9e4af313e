/**
 * Compares two plans: a fork and its origin, or two attempts at one goal. Pure and total; a plan equals itself, and swapping the
 * plans yields the same with the sides exchanged.
 */
import { canonicalJson } from "../../values/canonical-json.ts";
import type { Answer, StepOutput } from "../../events/values.ts";
import type { PlanView } from "../plan-view.ts";
import { type TextPart, diffText } from "./diff-text.ts";
import type { Json } from "../../values/json.ts";
import { PLANNED_FIELDS } from "../../language/planned-fields.ts";
import type { StepView } from "../step-view.ts";

export type PlanComparison = {
  /** The side that was forked from the other one, and the step of the fork; absent if neither was. */
  readonly fork?: { readonly side: "left" | "right"; readonly fromStep: string };
  /** Differences in the request, the planning and the outcome. */
  readonly changes: readonly Change[];
  readonly figures: readonly Figure[];
  readonly answer: AnswerComparison;
  /** Differences first; each step of both plans exactly once. */
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

/** A field with different values; undefined on a side without one. */
export type Change = {
  readonly field: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
};

/**
 * The relation of two results. `alike`: both are stored as files, and the known properties (type, size, beginning) are equal.
 * `one`: only one of them exists.
 */
export type Likeness = "none" | "equal" | "alike" | "different" | "one";

export type ComparedStep =
  | {
      readonly kind: "same" | "changed";
      readonly matchedBy: "id" | "work";
      readonly left: StepView;
      readonly right: StepView;
      /** Differences in the planned fields and the outcome; never in times, workers and outputs. */
      readonly changes: readonly Change[];
      readonly output: Likeness;
    }
  | { readonly kind: "only-left"; readonly left: StepView }
  | { readonly kind: "only-right"; readonly right: StepView };

/** Dependencies are compared separately: ids that mean the same step may differ. */
const PLANNED = PLANNED_FIELDS.filter((field) => field !== "dependsOn");
const BECAME = ["status", "reason", "error", "failedItems"] as const satisfies readonly (keyof StepView)[];

const RANK = { changed: 0, "only-left": 1, "only-right": 2, same: 3 } as const;

/** The steps of both plans, each exactly once: differences first, then equal steps, in the order of planning. */
export function compareSteps(left: readonly StepView[], right: readonly StepView[]): ComparedStep[] {
  const { pairs, onlyLeft, onlyRight } = matchSteps(left, right);
  const pairOf: PairNumbers = {
    left: new Map(pairs.map((pair, index) => [pair.left.id, index])),
    right: new Map(pairs.map((pair, index) => [pair.right.id, index])),
  };
  const compared: ComparedStep[] = pairs.map((pair) => {
    const changes = changesOf(pair.left, pair.right, pairOf);
    const output = likeness(pair.left.output, pair.right.output);
    const isSame = changes.length === 0 && output !== "different" && output !== "one";
    return { ...pair, kind: isSame ? "same" : "changed", changes, output };
  });
  return [
    ...compared,
    ...onlyLeft.map((step) => ({ kind: "only-left", left: step }) as const),
    ...onlyRight.map((step) => ({ kind: "only-right", right: step }) as const),
  ].toSorted((one, other) => RANK[one.kind] - RANK[other.kind]);
}

/** The number of each step's pair by step id, for both plans. */
type PairNumbers = Readonly<Record<"left" | "right", ReadonlyMap<string, number>>>;

function changesOf(left: StepView, right: StepView, pairOf: PairNumbers): readonly Change[] {
  // Steps that were carried over from the original plan have no attempts here.
  const isCarried = left.carried === true || right.carried === true;
  // The same id may belong to another step in the other plan: only paired steps are the same.
  const leftWaitsFor = left.dependsOn.map((id) => pairOf.left.get(id) ?? id);
  const rightWaitsFor = right.dependsOn.map((id) => pairOf.right.get(id) ?? id);
  return [
    ...changeOf("id", left.id, right.id),
    ...PLANNED.flatMap((field) => changeOf(field, left[field], right[field])),
    ...(isSameSet(leftWaitsFor, rightWaitsFor) ? [] : changeOf("dependsOn", left.dependsOn, right.dependsOn)),
    ...BECAME.flatMap((field) => changeOf(field, left[field], right[field])),
    ...(isCarried ? [] : changeOf("attempts", left.attempt, right.attempt)),
  ];
}

/** Empty if both are equal as JSON. */
export function changeOf(field: string, left: unknown, right: unknown): Change[] {
  if (canonicalJson(left) === canonicalJson(right)) return [];
  // All values of a view came as JSON.
  return [{ field, left: left as Json | undefined, right: right as Json | undefined }];
}

/** @see Likeness */
export function likeness(left: StepOutput | undefined, right: StepOutput | undefined): Likeness {
  if (left === undefined || right === undefined) return left === right ? "none" : "one";
  if ("value" in left && "value" in right) return isEqual(left.value, right.value) ? "equal" : "different";
  if ("value" in left || "value" in right) return "different";
  const { name: _left, ...leftFile } = left.artifact;
  const { name: _right, ...rightFile } = right.artifact;
  return isEqual([leftFile, left.preview], [rightFile, right.preview]) ? "alike" : "different";
}

function isEqual(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

function isSameSet<T>(left: readonly T[], right: readonly T[]): boolean {
  return new Set(left).symmetricDifference(new Set(right)).size === 0;
}

export type Figure = {
  readonly name: string;
  readonly unit: "ms" | "count" | "usd";
  /** Null if it is unknown (so far). */
  readonly left: number | null;
  readonly right: number | null;
};

type FigureOf = (view: PlanView) => number | null;

const FIGURES: readonly (readonly [name: string, unit: Figure["unit"], of: FigureOf])[] = [
  ["Time to completion", "ms", durationMs],
  ["Makespan", "ms", makespanMs],
  ["Critical path", "ms", ({ criticalPath }) => criticalPath.durationMs],
  ["Steps", "count", ({ steps }) => steps.length],
  ["Steps carried over", "count", counting(({ carried }) => carried === true)],
  ["Steps succeeded", "count", counting(({ status }) => status === "succeeded")],
  ["Steps failed", "count", counting(({ status }) => status === "failed")],
  ["Steps skipped", "count", counting(({ status }) => status === "skipped")],
  ["Attempts", "count", attempts],
  ["Revisions", "count", ({ revision }) => revision],
  ["Approvals requested", "count", ({ approvals }) => approvals.length],
  ["Effects completed", "count", ({ effects }) => effects.filter(({ status }) => status === "done").length],
  ["Model calls", "count", ({ usage }) => usage.modelCalls],
  ["Input tokens", "count", ({ usage }) => usage.inputTokens],
  ["Output tokens", "count", ({ usage }) => usage.outputTokens],
  ["Cost", "usd", ({ usage }) => usage.costUsd],
];

/** The counts and measurements of both plans, side by side. */
export function compareFigures(left: PlanView, right: PlanView): Figure[] {
  return FIGURES.map(([name, unit, of]) => ({ name, unit, left: of(left), right: of(right) }));
}

function durationMs({ submittedAt, endedAt }: PlanView): number | null {
  return endedAt === undefined ? null : Math.max(0, Date.parse(endedAt) - Date.parse(submittedAt));
}

function makespanMs({ steps }: PlanView): number | null {
  const times = (field: "startedAt" | "endedAt") =>
    steps.flatMap((step) => (step[field] === undefined ? [] : [Date.parse(step[field])]));
  const first = least(times("startedAt"));
  const last = least(times("endedAt").map((at) => -at));
  return first === undefined || last === undefined ? null : Math.max(0, -last - first);
}

/** A plan may have more numbers than a function call can have arguments. */
function least(numbers: readonly number[]): number | undefined {
  return numbers.reduce<number | undefined>(
    (min, at) => (min === undefined || at < min ? at : min),
    undefined,
  );
}

function counting(isCounted: (step: StepView) => boolean): FigureOf {
  return ({ steps }) => steps.filter(isCounted).length;
}

/** Includes the items of lists, which have their own counts. */
function attempts({ steps }: PlanView): number {
  return steps
    .flatMap((step): readonly { readonly attempt: number }[] => step.items ?? [step])
    .reduce((sum, { attempt }) => sum + attempt, 0);
}

type MatchedSteps = {
  /** In the order of the left plan. `work`: the ids differ, but tool and description are equal. */
  readonly pairs: readonly {
    readonly left: StepView;
    readonly right: StepView;
    readonly matchedBy: "id" | "work";
  }[];
  readonly onlyLeft: readonly StepView[];
  readonly onlyRight: readonly StepView[];
};

/**
 * Pairs the steps of two plans: first those with the same id, then those with the same tool and description, in order of
 * appearance. Every step is in exactly one pair or left unmatched.
 */
function matchSteps(left: readonly StepView[], right: readonly StepView[]): MatchedSteps {
  const byId = pairUp(left, right, ({ id }) => id);
  const byWork = pairUp(byId.onlyLeft, byId.onlyRight, workOf);
  const place = new Map(left.map((step, index) => [step, index]));
  const pairs = [
    ...byId.pairs.map((pair) => ({ ...pair, matchedBy: "id" as const })),
    ...byWork.pairs.map((pair) => ({ ...pair, matchedBy: "work" as const })),
  ].toSorted((one, other) => (place.get(one.left) ?? 0) - (place.get(other.left) ?? 0));
  return { pairs, onlyLeft: byWork.onlyLeft, onlyRight: byWork.onlyRight };
}

/** Undefined for a step without a description: its tool alone does not make it the same. */
function workOf({ tool, description }: StepView): string | undefined {
  return description === "" ? undefined : JSON.stringify([tool, description]);
}

function pairUp(
  left: readonly StepView[],
  right: readonly StepView[],
  keyOf: (step: StepView) => string | undefined,
) {
  const waiting = Map.groupBy(right, keyOf);
  const pairs: { left: StepView; right: StepView }[] = [];
  const onlyLeft: StepView[] = [];
  for (const step of left) {
    const key = keyOf(step);
    const match = key === undefined ? undefined : waiting.get(key)?.shift();
    if (match === undefined) onlyLeft.push(step);
    else pairs.push({ left: step, right: match });
  }
  const taken = new Set(pairs.map((pair) => pair.right));
  return { pairs, onlyLeft, onlyRight: right.filter((step) => !taken.has(step)) };
}
