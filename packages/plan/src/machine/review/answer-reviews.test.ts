// Answers that are reviewed before they are given: accepted, rewritten, or the best draft kept.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerDrafted,
  answerGiven,
  answerReviewed,
  cancelRequested,
  decideNext,
  givenUp,
  joinAbandoned,
  kindsOf,
  pauseRequested,
  redriveRequested,
  resumeRequested,
  revisionRequested,
  step,
  submitted,
  submittedPlan,
  succeeded,
} from "../../../test/facts.ts";
import { owed } from "../../decide/owed.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";

const ask = (more: object = {}) => ({ review: { answer: { maxIterations: 2 } }, ...more });
/** Two steps, so that the results have to be synthesized. */
const settled = (more: object = {}) =>
  after(submitted([step("a"), step("b")], ask(more)), succeeded("a"), succeeded("b"));
const drafted = (more: object = {}) => andAfter(settled(more), answerDrafted(1));
const rejected = (draft: number, score: number) =>
  answerReviewed({ draft, score, verdict: "rejected", issues: ["too short"], suggestion: "say more" });

describe("an answer that needs a review", () => {
  it("is not given before it has been reviewed", () => {
    const plan = drafted();
    expect(plan).toMatchObject({ status: "reflecting", answering: { count: 1 } });
    expect(plan.conclusion).toBeUndefined();
    expect(decideNext(plan)).toMatchObject([
      { kind: "critique", work: { of: "answer", draft: 1, review: 1 } },
    ]);
    expect(kindsOf(plan, owed(plan))).toEqual(["critique"]);
    const accepted = andAfter(plan, answerReviewed({ score: 0.9 }));
    expect(kindsOf(accepted)).toEqual(["answer.given"]);
    expect(accepted.conclusion).toMatchObject({ outcome: "succeeded", answer: { text: "42" } });
    expect(evolve(accepted, answerReviewed({ score: 0.9 }))).toBe(accepted);
  });

  it("is rewritten with the issues of its review", () => {
    const plan = andAfter(drafted(), rejected(1, 0.4));
    expect(plan.answering?.feedback).toEqual({ issues: ["too short"], suggestion: "say more" });
    expect(kindsOf(plan)).toEqual(["join"]);
    const second = andAfter(plan, answerDrafted(2, { text: "43" }), answerReviewed({ draft: 2 }));
    expect(second.conclusion?.answer?.text).toBe("43");
    expect(viewOf(second, 0).answerReviews).toMatchObject([
      { draft: 1, verdict: "rejected", score: 0.4, text: "42" },
      { draft: 2, verdict: "accepted", text: "43" },
    ]);
  });

  it.each([
    [0.8, 0.2, "42"],
    [0.2, 0.8, "43"],
    [0.5, 0.5, "43"],
  ])(
    "is the best draft, of scores %d and %d, when none is accepted (ANSWER-1, ANSWER-2)",
    (first, second, text) => {
      const again = [rejected(1, first), answerDrafted(2, { text: "43" }), rejected(2, second)];
      const plan = andAfter(drafted(), ...again);
      expect(plan.conclusion).toMatchObject({ outcome: "partial", answer: { text, status: "partial" } });
      expect(plan.conclusion?.reason).toMatch(/No draft of the answer was approved by its review/);
    },
  );

  it("can be the output of a step, and is rewritten from the results only after a rejection", () => {
    const only = submittedPlan({ steps: [step("a")], answerFrom: "a" }, ask());
    const plan = after(only, succeeded("a", "seven"));
    expect(decideNext(plan)).toMatchObject([{ kind: "critique", work: { of: "answer", draft: 1 } }]);
    expect(kindsOf(andAfter(plan, answerReviewed()))).toEqual(["answer.given"]);
    const again = andAfter(plan, rejected(1, 0.1));
    expect(kindsOf(again)).toEqual(["join"]);
    expect(kindsOf(andAfter(again, joinAbandoned(1)))).toEqual(["join"]);
    expect(andAfter(again, answerGiven(1)).conclusion?.answer?.text).toBe("42");
  });

  it("is given unchanged when no reviewer can review it", () => {
    const unjudged = answerReviewed({ verdict: "unjudged", cause: "unusable", message: "prose" });
    const plan = andAfter(drafted(), unjudged);
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "The answer was not approved by its review: prose.",
    });
    expect(viewOf(plan, 0).answerReviews).toMatchObject([{ verdict: "unjudged", message: "prose" }]);
  });

  it("fails its plan when it says that no useful result exists", () => {
    const answer = { text: "nothing", status: "failed", sources: [], artifacts: [] };
    const plan = andAfter(settled(), answerDrafted(1, { answer }), answerReviewed());
    expect(plan.conclusion).toMatchObject({ outcome: "failed", answer: { status: "failed" } });
  });

  it("is kept when it was rejected without a score, and reviewed by another critic when one is lost", () => {
    const unscored = answerReviewed({ verdict: "rejected" });
    const last = andAfter(drafted(), unscored, answerDrafted(2, { text: "43" }));
    expect(andAfter(last, answerReviewed({ draft: 2, verdict: "rejected" })).conclusion?.answer?.text).toBe(
      "43",
    );
    const lost = answerReviewed({ verdict: "unjudged", cause: "interrupted" });
    expect(decideNext(andAfter(drafted(), lost))).toMatchObject([{ kind: "critique", work: { review: 2 } }]);
  });

  it("is reviewed with enough budget to read all results", () => {
    const plan = drafted({ budget: { tokens: 1_000_000, onExhausted: "end" } });
    expect(decideNext(plan)).toMatchObject([
      { kind: "critique", work: { allowance: { maxTokens: 65_536 } } },
    ]);
  });

  it("is given without a review by older reflectors", () => {
    expect(andAfter(settled(), answerGiven(1)).conclusion?.answer?.text).toBe("42");
    expect(evolve(drafted(), answerDrafted(1))).toEqual(drafted());
  });

  it("waits while its plan is paused, and is dropped when it is cancelled", () => {
    const paused = andAfter(drafted(), pauseRequested());
    expect(kindsOf(paused, owed(paused))).toEqual([]);
    expect(kindsOf(andAfter(paused, resumeRequested()))).toEqual(["critique"]);
    const cancelled = andAfter(drafted(), cancelRequested());
    expect(kindsOf(cancelled)).toEqual(["stop", "plan.ended"]);
    expect(viewOf(cancelled, 0).answer?.text).toBe("42");
  });

  it("is given unchanged when the budget leaves nothing for its review", () => {
    const budget = { tokens: 70_000, onExhausted: "ask" };
    const usage = { modelCalls: 1, inputTokens: 69_900, outputTokens: 50, costUsd: 0 };
    const plan = andAfter(settled({ budget }), answerDrafted(1, { usage }));
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "The answer was not reviewed.",
      answer: { text: "42" },
    });
    expect(kindsOf(plan)).toEqual(["stop", "answer.given"]);
  });

  it("is dropped when a step is retried after all", () => {
    const lost = after(submitted([step("a"), step("b")], ask()), succeeded("a"), givenUp("b"));
    const plan = andAfter(lost, answerDrafted(1), redriveRequested("b"));
    expect(plan).toMatchObject({ status: "running", answering: { count: 1 } });
    expect(plan.critique).toBeUndefined();
    const again = andAfter(plan, succeeded("b", 2, 2), answerDrafted(2, { text: "43" }));
    expect(again.critique).toMatchObject({ of: "answer", draft: 2 });
    // A third draft is no longer reviewed.
    const third = andAfter(again, rejected(2, 0), answerDrafted(3, { text: "44" }));
    expect(third.conclusion).toBeDefined();
  });

  it("is not rewritten while the plan is paused", () => {
    const paused = andAfter(drafted(), pauseRequested());
    const judged = andAfter(paused, rejected(1, 0.2));
    expect(kindsOf(judged)).toEqual([]);
    expect(kindsOf(andAfter(judged, resumeRequested()))).toEqual(["join"]);
  });

  it("does not prevent a revision because of the results", () => {
    expect(kindsOf(andAfter(settled(), revisionRequested(1)))).toEqual(["draft"]);
  });
});
