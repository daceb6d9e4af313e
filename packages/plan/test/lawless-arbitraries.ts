/** Goals and events that are well-formed but follow no other rule. */
import fc from "fast-check";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { DELIVERIES_EXHAUSTED } from "../src/values/codes.ts";
import { outlineOf } from "../src/view/plan-outline.ts";
import { after, AT, fact, LIGHT, ONCE, READ, submitted, USAGE, WRITE } from "./facts.ts";
import { attempt, data, id, small } from "./lawless-data.ts";
import { lawlessLoopFacts } from "./lawless-loop-arbitraries.ts";
import { budgetArbitrary, claimArbitrary, gatesArbitrary, reviewArbitrary } from "./policy-arbitraries.ts";

const undo = fc.constantFrom(undefined, undefined, true as const);
const run = { undo, stepId: id, item: fc.constantFrom(0, 0, 0, 1), attempt, workerId: fc.constant("w1") };
const ended = { ...run, startedAt: fc.constant("2026-01-01T00:00:00Z"), durationMs: fc.nat() };
const approvalId = fc.constantFrom(
  "risk-a-0",
  "risk-b-0",
  "ask-a-0-1",
  "unknown-a-0-1",
  "unknown-c-0-1",
  "call-a-0-1-1",
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
 * Events that are well-formed but follow no other rule: steps with cycles and unknown dependencies, drafts out of order, outcomes
 * of steps that never ran, foreign plans, dates of any kind.
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
      ...lawlessLoopFacts,
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
        unavailable: fc.constantFrom(undefined, true),
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
      data("model.failed", {
        work: fc.oneof(
          fc.record({ kind: fc.constant("draft"), draft: small }),
          fc.record({ kind: fc.constant("join"), join: small }),
          fc.record({ kind: fc.constant("step"), stepId: id, item: fc.constant(0), attempt: small }),
        ),
        tries: fc.record({
          report: small,
          calls: small,
          callsMax: fc.constant(8),
          since: fc.constant(AT),
          message: fc.string(),
          retryAt: fc.constant(AT),
        }),
      }),
      data("join.abandoned", {
        join: small,
        cause: fc.constantFrom("interrupted", "allowance_spent", "model_unavailable"),
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
        outcome: fc.constantFrom("succeeded", "partial", "failed", "cancelled"),
        reason: fc.string(),
      }),
      fc.constant({ type: "plan.archived" as const, data: archivedData() }),
      fc.constant({
        type: "delete.requested" as const,
        data: { by: "x", trace: after(submitted()).goal.trace },
      }),
      fc.constant({ type: "plan.deleted" as const, data: { tenant: "x" } }),
    ),
    fc.record({
      planId: fc.constantFrom("p1", "p1", "p1", "p1", "p2"),
      at: fc
        .date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
        .map((date) => date.toISOString()),
    }),
  )
  .map(([{ type, data: body }, more]) => fact(type, body, more));

/** A goal, with or without an unchecked plan. */
export const lawlessGoalArbitrary: fc.Arbitrary<PlanEvent> = fc.oneof(
  fc.constant(submitted()),
  reviewArbitrary.map((review) => submitted(undefined, { review })),
  fc
    .tuple(fc.array(lawlessStep, { minLength: 1, maxLength: 6 }), gatesArbitrary)
    .map(([steps, gates]) => submitted(steps, gates)),
  fc.array(lawlessStep, { minLength: 1, maxLength: 6 }).map((steps) => submitted(steps)),
  fc
    .tuple(fc.array(lawlessStep, { minLength: 1, maxLength: 6 }), budgetArbitrary)
    .map(([steps, budget]) => submitted(steps, { budget })),
);

function archivedData(): object {
  const plan = after(submitted());
  const outline = outlineOf(plan);
  return { firstSequence: 1, lastSequence: 9, outline, bodyHash: "h", trace: plan.goal.trace };
}

function artifactOutput(): object {
  return { artifact: { name: "a.txt", contentType: "text/plain", bytes: 70_000 }, preview: "…" };
}
