// Steps whose outputs are reviewed: accepted, retried, kept as the best, or failed. There is one review at a time.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  decideNext,
  failed,
  kindsOf,
  pauseRequested,
  resumeRequested,
  reviewed,
  step,
  stepOf,
  submitted,
  succeeded,
  worksOf,
  WRITE,
} from "../../../test/facts.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";

const draft = (more: object = {}) =>
  step("text", [], { tool: "draft.write", review: { maxIterations: 3, ...more } });
const rejected = (attempt: number, score: number, more: object = {}) =>
  reviewed("text", {
    attempt,
    verdict: "rejected",
    score,
    issues: ["too long"],
    suggestion: "cut it",
    ...more,
  });

describe("a step with a review", () => {
  const written = [submitted([draft(), step("next", ["text"])]), succeeded("text", "first")];

  it("has its output reviewed before its dependents continue, and occupies no worker in the meantime", () => {
    const plan = after(...written);
    expect(stepOf(plan, "text").state).toMatchObject({ status: "reviewing", attempt: 1, review: 1 });
    expect(plan).toMatchObject({ inFlight: 0, judging: 1, status: "running" });
    expect(kindsOf(plan)).toEqual(["review"]);
    expect(worksOf(andAfter(plan, reviewed("text"))).map(({ stepId }) => stepId)).toEqual(["next"]);
  });

  it("is retried with the issues of its review, and the view shows them", () => {
    const plan = after(...written, rejected(1, 0.4));
    const feedback = { output: { value: "first" }, issues: ["too long"], suggestion: "cut it" };
    expect(worksOf(plan)).toMatchObject([{ stepId: "text", attempt: 2, feedback }]);
    const approved = andAfter(
      plan,
      succeeded("text", "second", 2),
      reviewed("text", { attempt: 2, score: 0.9 }),
    );
    expect(stepOf(approved, "text").state).toMatchObject({
      status: "succeeded",
      output: { value: "second" },
    });
    expect(viewOf(approved, 0).steps[0]?.reviews).toMatchObject([
      { attempt: 1, verdict: "rejected", score: 0.4, issues: ["too long"] },
      { attempt: 2, verdict: "accepted", score: 0.9 },
    ]);
  });

  it("keeps the best of its outputs when none is approved, and the later of two equal ones (REVIEW-1)", () => {
    const drafts = (scores: readonly number[]) =>
      scores.flatMap((score, index) => [
        succeeded("text", `draft ${index + 1}`, index + 1),
        rejected(index + 1, score),
      ]);
    const keptOf = (...scores: number[]) =>
      stepOf(after(submitted([draft()]), ...drafts(scores)), "text").state;
    expect(keptOf(0.3, 0.8, 0.5)).toMatchObject({ status: "succeeded", output: { value: "draft 2" } });
    expect(keptOf(0.5, 0.5, 0.5)).toMatchObject({ output: { value: "draft 3" } });
  });

  it("keeps its earlier output when an attempt to improve it fails", () => {
    const plan = after(...written, rejected(1, 0.4), failed("text", 2));
    expect(stepOf(plan, "text").state).toMatchObject({ status: "succeeded", output: { value: "first" } });
  });

  it("has as many attempts for each output as a step without a review", () => {
    const plan = after(
      submitted([
        step("text", [], {
          tool: "draft.write",
          retry: { maxAttempts: 1 },
          review: { maxIterations: 2, onMiss: "revise" },
        }),
      ]),
      succeeded("text"),
      rejected(1, 0),
      failed("text", 2, { retryable: true }),
    );
    expect(stepOf(plan, "text").state.status).toBe("failed");
  });

  it("is reviewed only once when its tool cannot improve the output", () => {
    const plan = after(
      submitted([step("text", [], { review: { maxIterations: 3, onMiss: "revise" } })]),
      succeeded("text"),
      rejected(1, 0.2),
    );
    expect(stepOf(plan, "text").state).toMatchObject({
      status: "failed",
      error: { code: "expectation_missed" },
    });
  });
});

describe("a step of a plan whose steps are reviewed", () => {
  const measured = (more: object = {}) =>
    submitted([step("one", [], { expectedOutput: "a number" }), step("two", ["one"]), step("free")], {
      review: { steps: true },
      ...more,
    });

  it("is reviewed only when it states its expectation", () => {
    const plan = after(measured(), succeeded("free"));
    expect(stepOf(plan, "free").state.status).toBe("succeeded");
    expect(stepOf(andAfter(plan, succeeded("one")), "one").state.status).toBe("reviewing");
  });

  it("fails when it misses its expectation, and the plan is revised with the issues and the suggestion", () => {
    const said = { verdict: "rejected", score: 0.1, issues: ["no number"], suggestion: "ask another source" };
    const plan = after(measured(), succeeded("one", "words"), reviewed("one", said));
    expect(stepOf(plan, "one").state).toMatchObject({
      status: "failed",
      error: { code: "expectation_missed", message: "no number" },
    });
    expect(plan.drafting).toMatchObject({
      phase: "requested",
      cause: "expectation",
      causedBy: "one",
      reason: "Step one did not deliver what was expected: no number. Suggestion: ask another source",
    });
  });

  it("succeeds when its output shows that the remaining plan no longer fits, and its dependents wait for the revision", () => {
    const plan = after(
      measured(),
      succeeded("one"),
      reviewed("one", { replan: true, suggestion: "skip two" }),
    );
    expect(stepOf(plan, "one").state.status).toBe("succeeded");
    expect(stepOf(plan, "two").state).toMatchObject({ status: "waiting", for: "draft" });
    expect(plan.drafting).toMatchObject({ phase: "requested", cause: "requires_replan" });
  });

  it("is reviewed no more than three times, and then accepted unchanged (REVIEW-2)", () => {
    const lost = (review: number) =>
      reviewed("one", { review, verdict: "unjudged", cause: "interrupted", message: "it died" });
    const plan = after(measured(), succeeded("one"), lost(1), lost(2));
    expect(kindsOf(plan)).toEqual(["review"]);
    expect(evolve(plan, lost(2))).toBe(plan);
    expect(stepOf(andAfter(plan, lost(3)), "one").state.status).toBe("succeeded");
  });

  it("is accepted unchanged when the reviewer's replies are unusable", () => {
    const unusable = { verdict: "unjudged", cause: "unusable", message: "prose" };
    const plan = after(measured(), succeeded("one"), reviewed("one", unusable));
    expect(stepOf(plan, "one").state.status).toBe("succeeded");
  });

  it("is reviewed only after a paused plan resumes", () => {
    const paused = after(measured(), pauseRequested(), succeeded("one"));
    expect(kindsOf(paused)).toEqual([]);
    expect(kindsOf(andAfter(paused, resumeRequested()))).toContain("review");
  });
});

describe("a step under review when its plan ends", () => {
  const undo = { compensate: { tool: "files.write", args: { value: { $ref: "text.output" } } } };
  const plan = after(
    submitted([step("text", [], { tool: "files.write", review: {}, ...undo })]),
    succeeded("text", 7),
  );

  it("counts as done without a review, and is undone", () => {
    const cancelled = andAfter(plan, cancelRequested());
    expect(stepOf(cancelled, "text")).toMatchObject({ grant: WRITE, state: { status: "succeeded" } });
    expect(kindsOf(cancelled)).toContain("run");
    expect(cancelled.compensations?.first()).toMatchObject({ stepId: "text", state: { status: "running" } });
  });
});

describe("the review of a step of a plan with a budget", () => {
  const goal = (budget: object) =>
    submitted([draft(), step("next", ["text"])], { budget: { onExhausted: "end", ...budget } });
  const spent = (tokens: number) => ({
    usage: { modelCalls: 1, inputTokens: tokens, outputTokens: 0, costUsd: 0 },
  });

  it("is given a part of the tokens that are left", () => {
    const plan = after(goal({ tokens: 100_000 }), succeeded("text", "first", 1, spent(900)));
    const [review] = decideNext(plan);
    expect(review).toMatchObject({ kind: "review", work: { stepId: "text", review: 1 } });
    expect(review).toHaveProperty("work.allowance.maxTokens", expect.any(Number));
    expect(plan.budget?.reserves.size).toBe(1);
    const accepted = andAfter(plan, reviewed("text"));
    expect(accepted.budget?.reserved.tokens).toBe(0);
    expect(worksOf(accepted).map(({ stepId }) => stepId)).toEqual(["next"]);
  });

  it("needs no budget if only the number of steps is limited", () => {
    const plan = after(goal({ steps: 10 }), succeeded("text", "first"));
    expect(kindsOf(plan)).toEqual(["review"]);
    expect(plan.budget?.reserves.size).toBe(0);
  });

  it("ends the plan with its results when too few tokens are left for it", () => {
    const plan = after(goal({ tokens: 1_500 }), succeeded("text", "first", 1, spent(1_480)));
    expect(plan.conclusion).toMatchObject({ outcome: "partial" });
    expect(plan.conclusion?.reason).toContain("and 20 left, but the review of step text needs");
    expect(plan.conclusion?.answer?.text).toContain("first");
  });

  it("waits while the tokens are reserved for other work, and is requested when that has ended", () => {
    const two = submitted([draft(), step("other", [], { tool: "model.write" })], {
      budget: { tokens: 2_300, onExhausted: "end" },
    });
    const plan = after(two, succeeded("text", "first", 1, spent(900)));
    expect(stepOf(plan, "text").state).toMatchObject({ status: "reviewing", for: "budget" });
    expect(kindsOf(plan)).not.toContain("review");
    const settled = andAfter(plan, succeeded("other", "done", 1, spent(10)));
    expect(kindsOf(settled)).toContain("review");
  });
});
