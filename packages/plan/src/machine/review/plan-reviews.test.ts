// First drafts that are reviewed before they run: released, improved once, or run without a review.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  approvalDecided,
  cancelRequested,
  decideNext,
  draftStarted,
  kindsOf,
  known,
  pauseRequested,
  planned,
  planReviewed,
  resumeRequested,
  revised,
  sealed,
  step,
  stepOf,
  submitted,
  succeeded,
  USAGE,
  worksOf,
} from "../../../test/facts.ts";
import { owed } from "../../decide/owed.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";

const goal = (more: object = {}) => submitted(undefined, { review: { plan: true }, ...more });
const first = [draftStarted(), planned(step("a")), planned(step("b", ["a"]), { index: 1 })];
const judged = (more: object = {}) => after(goal(more), ...first, sealed(1, { steps: 2 }));
const rejected = (more: object = {}) =>
  planReviewed({ verdict: "rejected", score: 0.2, issues: ["c is missing"], suggestion: "add c", ...more });
const second = [
  draftStarted(2),
  planned(step("c"), { draft: 2 }),
  revised(2, { kept: ["a"], dropped: ["b"], added: ["c"], cause: "critique" }),
];
const sentOf = (plan: ReturnType<typeof judged>) => worksOf(plan).map(({ stepId }) => stepId);

describe("the first draft of a plan that needs a review", () => {
  it("runs no step while it is written or reviewed (IMPROVEMENT-1)", () => {
    expect(kindsOf(after(goal(), ...first.slice(0, 2)))).toEqual([]);
    const plan = judged();
    expect(plan).toMatchObject({ status: "planning", inFlight: 0, drafting: { phase: "reviewing" } });
    expect(decideNext(plan)).toMatchObject([{ kind: "critique", work: { of: "plan", draft: 1, review: 1 } }]);
    expect(kindsOf(plan, owed(plan))).toEqual(["critique"]);
  });

  it.each([
    ["it was accepted", planReviewed({ score: 0.9 })],
    ["nobody could judge it", planReviewed({ verdict: "unjudged", cause: "unusable", message: "prose" })],
  ])("runs when %s", (_, event) => {
    const plan = andAfter(judged(), event);
    expect(sentOf(plan)).toEqual(["a"]);
    expect(plan).toMatchObject({ status: "running", drafting: { phase: "sealed" } });
    expect(viewOf(plan, 0).planReviews).toMatchObject([{ draft: 1 }]);
    expect(evolve(plan, event)).toBe(plan);
  });

  it("is improved once when it was rejected, with the issues of its review", () => {
    const plan = andAfter(judged(), rejected());
    expect(kindsOf(plan)).toEqual(["draft"]);
    expect(plan.drafting).toMatchObject({
      number: 2,
      revision: 1,
      cause: "critique",
      reason: expect.stringContaining("c is missing. Suggestion: add c"),
    });
    const improved = andAfter(plan, ...second);
    expect(sentOf(improved).toSorted()).toEqual(["a", "c"]);
    expect(stepOf(improved, "b").state.status).toBe("cancelled");
    expect(viewOf(improved, 0)).toMatchObject({
      planReviews: [{ draft: 1, verdict: "rejected", score: 0.2, issues: ["c is missing"] }],
      revisions: [{ cause: "review", kept: ["a"], dropped: ["b"], added: ["c"] }],
    });
  });

  it("is not reviewed, and runs immediately, unless the goal asks for a review", () => {
    for (const review of [undefined, { steps: true }, { plan: false }]) {
      expect(sentOf(after(goal({ review }), ...first.slice(0, 2)))).toEqual(["a"]);
      expect(sentOf(after(submitted([step("a")], { review: { plan: true } })))).toEqual(["a"]);
    }
    const direct = after(goal(), draftStarted(1, "direct"), planned(step("a")), sealed());
    expect(direct.critique).toBeUndefined();
    const search = after(goal(), draftStarted(1, "tree-search"), planned(step("a")), sealed());
    expect(search.critique).toBeUndefined();
  });

  it("needs only one approval, for the improved plan, and shows the review with it", () => {
    const asks = { approval: { plan: true } };
    const waiting = judged(asks);
    expect(waiting.planGate).toBeUndefined();
    const improved = andAfter(waiting, rejected(), ...second);
    expect(sentOf(improved)).toEqual([]);
    const [command] = decideNext(improved);
    expect(command).toMatchObject({
      event: {
        type: "approval.requested",
        data: {
          question: expect.stringContaining("this plan of 2 steps"),
          details: { reviews: [{ draft: 1, verdict: "rejected", issues: ["c is missing"] }] },
        },
      },
    });
    if (command?.kind !== "record") throw new Error("nobody is asked");
    const asked = known(evolve(improved, { ...command.event, at: "2026-01-01T00:00:00Z" }));
    expect(sentOf(andAfter(asked, approvalDecided("plan-2", "approve"))).toSorted()).toEqual(["a", "c"]);
  });
});

describe("the improvement of a draft", () => {
  const improving = andAfter(judged({ maxReplans: 0 }), rejected());

  it("does not count against the revision limit (REVISION-1)", () => {
    expect(improving.replansExceeded).toBeUndefined();
    const plan = andAfter(judged({ maxReplans: 1, replanOnFailure: true }), rejected(), ...second);
    expect(plan.revision).toBe(1);
    const once = andAfter(plan, succeeded("a"), succeeded("c"));
    expect(kindsOf(once)).toEqual(["join"]);
  });

  it.each([
    ["is given up", [draftStarted(2), abandoned(2, { retryable: false })]],
    ["is never begun", [abandoned(2, { retryable: false, cause: "model_failed" })]],
  ])("runs the rejected draft when it %s", (_, events) => {
    const plan = andAfter(improving, ...events);
    expect(sentOf(plan)).toEqual(["a"]);
    expect(plan).toMatchObject({ status: "running", revision: 0, revisionsWanted: [] });
  });

  it("holds everything back while it is written (IMPROVEMENT-1)", () => {
    const plan = andAfter(improving, draftStarted(2), planned(step("c"), { draft: 2 }));
    expect(kindsOf(plan)).toEqual([]);
    expect(stepOf(plan, "c").state).toMatchObject({ status: "waiting", for: "draft" });
  });

  it("is reviewed too if requested, and runs whatever its review says (IMPROVEMENT-2)", () => {
    const again = andAfter(judged({ review: { plan: { again: true } } }), rejected(), ...second);
    expect(decideNext(again)).toMatchObject([{ kind: "critique", work: { draft: 2 } }]);
    const plan = andAfter(again, rejected({ draft: 2 }));
    expect(sentOf(plan).toSorted()).toEqual(["a", "c"]);
    expect(viewOf(plan, 0).planReviews?.map(({ draft, verdict }) => [draft, verdict])).toEqual([
      [1, "rejected"],
      [2, "rejected"],
    ]);
  });
});

describe("a draft under review", () => {
  const lost = planReviewed({ verdict: "unjudged", cause: "interrupted", message: "its reflector died" });

  it("is given to another critic, at most three times in all", () => {
    let plan = judged();
    for (const review of [2, 3]) {
      plan = andAfter(plan, { ...lost, data: { ...lost.data, review: review - 1 } } as typeof lost);
      expect(decideNext(plan)).toMatchObject([{ kind: "critique", work: { review } }]);
    }
    const over = andAfter(plan, { ...lost, data: { ...lost.data, review: 3 } } as typeof lost);
    expect(sentOf(over)).toEqual(["a"]);
  });

  it("waits when its plan is paused, and is dropped when it is cancelled", () => {
    const paused = andAfter(judged(), pauseRequested());
    expect(kindsOf(paused, owed(paused))).toEqual([]);
    expect(kindsOf(andAfter(paused, resumeRequested()))).toEqual(["critique"]);
    const cancelled = andAfter(judged(), cancelRequested());
    expect(cancelled.critique).toBeUndefined();
    expect(kindsOf(cancelled)).toEqual(["stop", "plan.ended"]);
    expect(evolve(cancelled, rejected())).toBe(cancelled);
  });

  it("is reviewed within the plan's budget, which counts the usage", () => {
    const plan = judged({ budget: { tokens: 200_000, onExhausted: "end" } });
    expect(decideNext(plan)).toMatchObject([
      { kind: "critique", work: { allowance: { maxTokens: 32_768 } } },
    ]);
    const done = andAfter(plan, planReviewed());
    expect(done.usage.modelCalls).toBe(2 * USAGE.modelCalls);
    expect(done.budget?.reserves.size).toBe(0);
    const larger = andAfter(plan, planReviewed({ verdict: "unjudged", cause: "allowance_spent" }));
    expect(decideNext(larger)).toMatchObject([{ work: { review: 2, allowance: { maxTokens: 65_536 } } }]);
    expect(andAfter(plan, cancelRequested()).budget?.forfeited.tokens).toBe(32_768);
  });
});
