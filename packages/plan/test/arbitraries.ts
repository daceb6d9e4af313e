/** Random plans, grants and facts. */
import fc from "fast-check";
import type { StoredBudget } from "../src/budget.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { LIMITS } from "../src/limits.ts";
import { outlineOf } from "../src/plan-outline.ts";
import {
  after,
  fact,
  LIGHT,
  ONCE,
  READ,
  REVISER,
  SUB_PLAN,
  submitted,
  USAGE,
  WRITE,
  WRITER,
} from "./facts.ts";
import { withTies } from "./ties.ts";
import { DELIVERIES_EXHAUSTED } from "../src/events/step-events.ts";

export type PlannedStep = {
  readonly step: { readonly id: string } & object;
  readonly grant: object;
  readonly compensateGrant?: object | undefined;
};

const TOOLS = {
  "flow.echo": LIGHT,
  "draft.write": REVISER,
  "files.write": WRITE,
  "mail.send": ONCE,
  "model.write": WRITER,
  "plan.run": SUB_PLAN,
  "human.ask": SUB_PLAN,
} as const;

/**
 * The steps of a valid plan, each depending only on steps before it: a third of them on nothing, some by
 * reference, some by a reference that may lead nowhere.
 */
export function dagArbitrary({ stepsMin = 1, stepsMax = 60 } = {}): fc.Arbitrary<PlannedStep[]> {
  return fc.array(shape, { minLength: stepsMin, maxLength: stepsMax, size: "max" }).map((shapes) => {
    const needs = shapes.map(({ parents }, index) =>
      index === 0 ? [] : [...new Set(parents.map((parent) => `s${parent % index}`))],
    );
    const planned = shapes.map(
      ({ tool, parents: _parents, kind, compensate, condition, list, tie: _tie, ...others }, index) => {
        const ids = needs[index] ?? [];
        const more = {
          ...others,
          ...(compensate === undefined || list !== undefined
            ? {}
            : { compensate: ofStep(`s${index}`, compensate) }),
          ...(list === undefined
            ? {}
            : { forEach: LISTS[list === "many" && index > 0 ? "three" : list](ids) }),
          ...(condition === undefined || ids.length === 0 ? {} : { when: CONDITIONS[condition](ids) }),
        };
        const { dependsOn, args: own } = kindsOfDependency[kind](ids);
        const args = list === undefined ? own : { ...own, item: { $ref: "item" }, text: "{{item.x}}" };
        const grants = { grant: TOOLS[tool], compensateGrant: compensate && TOOLS[compensate.tool] };
        return { step: { id: `s${index}`, tool, dependsOn, args, ...more }, ...grants };
      },
    );
    const ties = shapes.map(({ tie }) => tie);
    return withTies(planned, ties, needs);
  });
}

const shape = fc.record(
  {
    tool: fc.constantFrom(
      "flow.echo",
      "flow.echo",
      "files.write",
      "mail.send",
      "model.write",
      "draft.write",
      "plan.run",
      "human.ask",
    ),
    parents: fc.array(fc.nat({ max: 999 }), { maxLength: 3 }),
    compensate: fc.record(
      {
        tool: fc.constantFrom("flow.echo", "files.write", "mail.send"),
        args: fc.constantFrom({}, { value: { $ref: "SELF.output" } }, { value: { $ref: "SELF.output.x" } }),
        retry: fc.record({ maxAttempts: fc.integer({ min: 1, max: 3 }) }),
      },
      { requiredKeys: ["tool", "args"] },
    ),
    kind: fc.constantFrom("named", "value", "text", "nowhere"),
    retry: fc.record(
      { maxAttempts: fc.integer({ min: 1, max: 5 }), backoffMs: fc.nat({ max: 2_000 }) },
      { requiredKeys: [] },
    ),
    timeoutMs: fc.integer({ min: 1, max: 60_000 }),
    expectedOutput: fc.constant("a number"),
    review: fc.record({
      maxIterations: fc.integer({ min: 1, max: 4 }),
      onMiss: fc.constantFrom("keep", "revise"),
    }),
    tie: fc.record({ kind: fc.constantFrom("verifies", "fallback"), distance: fc.nat({ max: 2 }) }),
    condition: fc.constantFrom("succeeded", "passed", "all", "unclear"),
    confidence: fc.constantFrom(0.4, 0.6, 1),
    list: fc.constantFrom("three", "none", "many", "output"),
  },
  { requiredKeys: ["tool", "parents", "kind"] },
);

/** What a step may run for each of; its arguments need an `x` of each. */
const LISTS: Record<"three" | "none" | "many" | "output", (ids: readonly string[]) => unknown> = {
  three: () => [{ x: 1 }, { x: 2 }, { y: 3 }],
  none: () => [],
  many: () => Array.from({ length: LIMITS.itemsAtOnceMax + 3 }, (_, x) => ({ x })),
  output: ([first]) => (first === undefined ? [{ x: 0 }] : { $ref: `${first}.output` }),
};

/** What a step's `when` may say of the steps before it. */
const CONDITIONS: Record<"succeeded" | "passed" | "all" | "unclear", (ids: readonly string[]) => string> = {
  succeeded: ([first]) => `${first}.output.x > 1 or ${first}.output == "no x"`,
  passed: ([first]) => `{{${first}.output}} == null`,
  all: (ids) => ids.map((id) => `${id}.output`).join(" and "),
  unclear: ([first]) => `${first}.output >= 1`,
};

function ofStep(id: string, compensate: object): object {
  return JSON.parse(JSON.stringify(compensate).replace("SELF", id)) as object;
}

type Dependencies = { readonly dependsOn: string[]; readonly args: object };
const kindsOfDependency: Record<"named" | "value" | "text" | "nowhere", (ids: string[]) => Dependencies> = {
  named: (dependsOn) => ({ dependsOn, args: { value: 1 } }),
  value: (ids) => ({ dependsOn: [], args: { value: ids.map((id) => ({ $ref: `${id}.output` })) } }),
  text: (ids) => ({ dependsOn: [], args: { value: ids.map((id) => `{{ ${id}.output }}`).join(", ") } }),
  nowhere: ([first, ...others]) => ({
    dependsOn: others,
    args: first === undefined ? {} : { value: { $ref: `${first}.output.x` } },
  }),
};

/** Which outputs are looked at; older goals do not say. */
export const factsArbitrary = fc.constantFrom(undefined, "off", "large", "all");

/** Claims that agree, disagree, and spell a key in several ways. */
export const claimArbitrary = fc.record({
  key: fc.constantFrom("price", "Price ", "size", "of it", "OF  it"),
  value: fc.constantFrom("1", "2", 1, true, null),
  confidence: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
});

/** When people are asked; older goals do not say. */
export const approvalArbitrary = fc.constantFrom(
  undefined,
  ...["never", "high", "medium", "low"].map((risk) => ({ risk, expiresAfterMs: 60_000 })),
  { risk: "never", plan: true, expiresAfterMs: 60_000 },
  { plan: true, confidenceBelow: 0.5, expiresAfterMs: 60_000 },
  { risk: "never", confidenceBelow: 0.7, expiresAfterMs: 60_000 },
);
/** Budgets from far too small to ample, of every kind of limit. */
export const budgetArbitrary: fc.Arbitrary<StoredBudget> = fc.record(
  {
    tokens: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 1_000_000 })),
    usd: fc.double({ min: 0.000_001, max: 5, noNaN: true }),
    seconds: fc.integer({ min: 1, max: 2_000 }),
    steps: fc.integer({ min: 1, max: 80 }),
    usdPerToken: fc.constantFrom(0, 0.000_002, 0.001),
    onExhausted: fc.constantFrom("end", "ask"),
  },
  { requiredKeys: ["onExhausted"] },
);

/** What a simulated world does next, again and again: 0 is always the harmless choice, so shrinking calms it. */
export const choicesArbitrary = fc.array(fc.nat({ max: 999 }), { maxLength: 600, size: "max" });

const id = fc.constantFrom("a", "b", "c", "d");
const attempt = fc.integer({ min: 1, max: 3 });
const small = fc.integer({ min: 1, max: 3 });
const undo = fc.constantFrom(undefined, undefined, true as const);
const run = { undo, stepId: id, item: fc.constantFrom(0, 0, 0, 1), attempt, workerId: fc.constant("w1") };
const ended = { ...run, startedAt: fc.constant("2026-01-01T00:00:00Z"), durationMs: fc.nat() };
const approvalId = fc.constantFrom(
  "risk-a-0",
  "risk-b-0",
  "ask-a-0-1",
  "unknown-a-0-1",
  "unknown-c-0-1",
  "budget-1",
  "x",
);
const usage = fc.constant(USAGE);
const forfeited = fc.constantFrom(undefined, { tokens: 100, usd: 0.01 });
const answer = fc.record({
  text: fc.string(),
  status: fc.constantFrom("success", "partial", "failed"),
  sources: fc.array(id, { maxLength: 2 }),
  artifacts: fc.constant([]),
});
const draftEnd = { draft: small, answerFrom: id, usage };
const lawlessStep = fc.record(
  {
    id,
    tool: fc.constantFrom(
      "flow.echo",
      "mail.send",
      "model.write",
      "plan.run",
      "human.ask",
      "constructor",
      "__proto__",
    ),
    dependsOn: fc.array(id, { maxLength: 3 }),
    args: fc.constantFrom({}, { value: { $ref: "a.output" } }, { value: "{{b.output.x}} {{c.output}}" }),
    forEach: fc.constantFrom([], [1, { x: 2 }], { $ref: "b.output" }, { $ref: "c.output.x" }, { $ref: "?" }),
    when: fc.constantFrom("a.output", "not b.output.x", "c.output > 1 or z.output", "nonsense"),
    verifies: id,
    fallback: id,
    compensate: fc.constantFrom(
      { tool: "flow.echo" },
      { tool: "none", args: { value: { $ref: "z.output" } } },
    ),
  },
  { requiredKeys: ["id", "tool"] },
);

/**
 * Facts that are well-formed and obey nothing else: steps with cycles and unknown dependencies, drafts out
 * of order, outcomes of steps that never ran, foreign plans, dates of any kind.
 */
export const lawlessFactArbitrary: fc.Arbitrary<PlanEvent> = fc
  .tuple(
    fc.oneof(
      {
        weight: 3,
        arbitrary: data("step.succeeded", {
          ...ended,
          output: fc.oneof(fc.record({ value: fc.jsonValue() }), fc.constant(artifactOutput())),
        }),
      },
      {
        weight: 3,
        arbitrary: data("step.failed", {
          ...ended,
          error: fc.constantFrom(
            { code: "e", message: "boom" },
            { code: "allowance_spent", message: "more" },
            { code: DELIVERIES_EXHAUSTED, message: "delivered in vain" },
          ),
          forfeited,
          retryable: fc.boolean(),
          retryAfterMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        }),
      },
      {
        weight: 3,
        arbitrary: data("step.planned", {
          draft: small,
          index: fc.nat(),
          step: lawlessStep,
          grant: fc.constantFrom(READ, LIGHT, WRITE, ONCE),
        }),
      },
      data("step.started", run),
      data("step.asked", {
        stepId: id,
        item: fc.constantFrom(0, 0, 1),
        attempt,
        workerId: fc.constant("w"),
        startedAt: fc.constant("2026-01-01T00:00:00Z"),
        durationMs: fc.constant(1),
        call: fc.constant({ turn: 1, thought: "hm", tool: "mail.send", args: { to: "a" }, risk: "high" }),
      }),
      data("call.started", {
        stepId: id,
        item: fc.constantFrom(0, 0, 1),
        attempt,
        turn: small,
        thought: fc.constant("hm"),
        tool: fc.constant("files.write"),
        args: fc.constant({}),
        effect: fc.constantFrom("idempotent", "once"),
        workerId: fc.constant("w"),
      }),
      data("turn.taken", {
        stepId: id,
        item: fc.constantFrom(0, 0, 1),
        attempt,
        turn: small,
        thought: fc.constant("hm"),
        output: fc.constantFrom({ value: 1 }, undefined),
        uncertain: fc.constantFrom(true, undefined),
      }),
      data("fact.recorded", {
        stepId: id,
        item: fc.constantFrom(0, 0, 1),
        attempt,
        facts: fc.array(claimArbitrary, { maxLength: 3 }),
        openQuestions: fc.array(fc.constantFrom("a?", "b?"), { maxLength: 2 }),
        answeredQuestions: fc.array(fc.constantFrom("a?", "b?"), { maxLength: 2 }),
        replacePlan: fc.constantFrom(undefined, { steps: ["read it"], reason: "better" }),
        usage,
        forfeited,
      }),
      data("step.started", { ...run, subPlan: fc.constantFrom("c1", "c2") }),
      data(
        "step.reviewed",
        {
          ...run,
          review: small,
          verdict: fc.constantFrom("accepted", "rejected", "unjudged"),
          score: fc.double({ min: 0, max: 1, noNaN: true }),
          cause: fc.constantFrom("interrupted", "allowance_spent", "unusable"),
          usage,
        },
        ["stepId", "item", "attempt", "review", "verdict", "usage"],
      ),
      data(
        "plan.reviewed",
        {
          draft: small,
          review: small,
          verdict: fc.constantFrom("accepted", "rejected", "unjudged"),
          cause: fc.constantFrom("interrupted", "allowance_spent", "unusable"),
          usage,
        },
        ["draft", "review", "verdict", "usage"],
      ),
      data("step.expanded", { stepId: id, items: fc.constantFrom(0, 1, 2) }),
      data(
        "answer.reviewed",
        {
          draft: small,
          review: small,
          verdict: fc.constantFrom("accepted", "rejected", "unjudged"),
          cause: fc.constantFrom("interrupted", "allowance_spent", "unusable"),
          usage,
        },
        ["draft", "review", "verdict", "usage"],
      ),
      data("answer.drafted", { join: small, answer, usage }),
      data("step.interrupted", { ...run, message: fc.string() }),
      data("approval.requested", {
        approvalId,
        kind: fc.constantFrom("plan", "tool-risk", "confidence", "question", "outcome-unknown", "budget"),
        question: fc.string(),
        stepId: id,
        args: fc.constant({ value: 1 }),
        expiresAfterMs: fc.integer({ min: 1, max: 2_592_000_000 }),
      }),
      data("approval.decided", {
        approvalId,
        decision: fc.constantFrom("approve", "reject", "answer", "happened", "run-again"),
        by: fc.constant("ann"),
      }),
      data("step.skipped", {
        stepIds: fc.array(id, { minLength: 1 }),
        because: id,
        reason: fc.string(),
        passedOver: fc.constantFrom(undefined, true),
      }),
      data("draft.started", {
        draft: small,
        strategy: fc.constantFrom("auto", "parallel", "tree-search"),
        strategyReason: fc.string(),
        workerId: fc.constant("w1"),
      }),
      data("plan.sealed", { ...draftEnd, steps: fc.nat() }),
      data("plan.revised", {
        ...draftEnd,
        revision: small,
        reason: fc.string(),
        kept: fc.array(id),
        dropped: fc.array(id),
        added: fc.array(id),
      }),
      data("draft.abandoned", {
        draft: small,
        cause: fc.constantFrom("invalid", "interrupted", "model_failed"),
        message: fc.string(),
        issues: fc.constant([]),
        retryable: fc.boolean(),
        usage,
      }),
      data("answer.given", { join: small, answer }, ["answer"]),
      data("revision.requested", { join: small, reason: fc.string(), answer, usage }),
      data("nodes.valued", {
        join: small,
        values: fc.array(
          fc.record({
            stepId: id,
            value: fc.double({ min: 0, max: 1, noNaN: true }),
            solved: fc.boolean(),
            reason: fc.string(),
          }),
          { maxLength: 4 },
        ),
        usage,
      }),
      data("join.abandoned", {
        join: small,
        cause: fc.constantFrom("interrupted", "allowance_spent"),
        message: fc.string(),
        usage,
        forfeited,
      }),
      data("timer.fired", {
        timer: fc.constantFrom(
          "retry-a-0-2",
          "retry-b-0-2",
          "retry-c-0-3",
          "draft-2",
          "draft-3",
          "approval-risk-a-0",
          "budget-1",
          "budget-2",
          "approval-budget-1",
          "start",
          "sub-plans",
          "x",
        ),
        deadline: fc.option(fc.record({ round: small, starts: fc.array(small, { maxLength: 3 }) }), {
          nil: undefined,
        }),
      }),
      data("redrive.requested", { stepId: id, item: fc.constant(0), attempt: small, by: fc.constant("x") }),
      data("feedback.given", {
        number: fc.integer({ min: 1, max: 3 }),
        rating: fc.integer({ min: 1, max: 5 }),
        by: fc.constant("x"),
      }),
      data("log.damaged", { reason: fc.constant("gone"), by: fc.constant("x") }),
      data("pause.requested", { pause: small, reason: fc.string(), by: fc.constant("x") }),
      data("resume.requested", { pause: small, by: fc.constant("x") }),
      data("cancel.requested", { reason: fc.string(), by: fc.string({ maxLength: 128 }) }),
      data("plan.ended", {
        outcome: fc.constantFrom("succeeded", "failed", "cancelled"),
        reason: fc.string(),
      }),
      fc.constant({ type: "plan.archived" as const, data: archivedData() }),
    ),
    fc.record({
      planId: fc.constantFrom("p1", "p1", "p1", "p1", "p2"),
      at: fc
        .date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
        .map((date) => date.toISOString()),
    }),
  )
  .map(([{ type, data: body }, more]) => fact(type, body, more));

/** What of a plan is judged; older goals do not say. */
export const reviewArbitrary = fc.constantFrom(
  undefined,
  undefined,
  { steps: true },
  { plan: true },
  { plan: { again: true }, steps: true },
  { answer: true },
  { answer: { maxIterations: 2 }, plan: true },
);

/** A goal, with or without a plan that nobody has checked. */
export const lawlessGoalArbitrary: fc.Arbitrary<PlanEvent> = fc.oneof(
  fc.constant(submitted()),
  reviewArbitrary.map((review) => submitted(undefined, { review })),
  fc
    .tuple(fc.array(lawlessStep, { minLength: 1, maxLength: 6 }), approvalArbitrary)
    .map(([steps, approval]) => submitted(steps, { approval })),
  fc.array(lawlessStep, { minLength: 1, maxLength: 6 }).map((steps) => submitted(steps)),
  fc
    .tuple(fc.array(lawlessStep, { minLength: 1, maxLength: 6 }), budgetArbitrary)
    .map(([steps, budget]) => submitted(steps, { budget })),
);

function data(
  type: PlanEvent["type"],
  fields: Record<string, fc.Arbitrary<unknown>>,
  required?: string[],
): fc.Arbitrary<{ type: PlanEvent["type"]; data: object }> {
  const optional = ["answerFrom", "retryAfterMs"];
  const requiredKeys = required ?? Object.keys(fields).filter((key) => !optional.includes(key));
  return fc.record(fields, { requiredKeys }).map((body) => ({ type, data: body }));
}

function archivedData(): object {
  const plan = after(submitted());
  const outline = outlineOf(plan);
  return { firstSequence: 1, lastSequence: 9, outline, bodyHash: "h", trace: plan.goal.trace };
}

function artifactOutput(): object {
  return { artifact: { name: "a.txt", contentType: "text/plain", bytes: 70_000 }, preview: "…" };
}
