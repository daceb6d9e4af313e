// Every way in which a plan can end; docs/plan-status.md shows the same table to users.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerDrafted,
  answerGiven,
  answerReviewed,
  cancelRequested,
  decideNext,
  draftStarted,
  expanded,
  failed,
  GRANTS,
  joinAbandoned,
  planEnded,
  planned,
  planReviewed,
  recorded,
  reviewed,
  revisionRequested,
  sealed,
  skipped,
  step,
  submitted,
  submittedPlan,
  succeeded,
  WRITER,
} from "../../../test/facts.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { LIMITS } from "../../values/limits.ts";
import { outlineOf } from "../../view/plan-outline.ts";
import { OUTCOME_TABLE, outcomeOf } from "./conclusion.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";

const undo = { tool: "files.write", args: { path: "undone" } };
const write = (id: string) => step(id, [], { tool: "files.write", compensate: undo });
const endOf = ({ conclusion }: KnownPlan) => [conclusion?.outcome, conclusion?.reason];
const two = (more: object = {}) => [submitted([step("a"), step("b")], more), succeeded("a"), succeeded("b")];
const answered = (of: object): PlanEvent => answerGiven(1, { status: "success", sources: ["a"], ...of });

describe("a submitted plan that names its answer", () => {
  const ab = { steps: [step("a"), step("b")], answerFrom: "b" };

  it("is partial when that step failed and another one succeeded, and calls no model", () => {
    const plan = after(submittedPlan(ab), succeeded("a", "seven"), failed("b"));
    expect(endOf(plan)).toEqual(["partial", "step b failed: boom"]);
    expect(plan.conclusion?.answer).toMatchObject({ status: "partial", sources: ["a"] });
    expect(plan.conclusion?.answer?.text).toBe(
      "The answer was to come from step b, which has no output.\n\nResults so far:\n- flow.echo (a): seven\n\nMissing: step b failed: boom.",
    );
    expect(decideNext(plan)).toMatchObject([{ kind: "record", event: { type: "answer.given" } }]);
  });

  it("is partial when that step was skipped, and names the failure that caused it", () => {
    const chain = { steps: [step("z"), step("a"), step("b", ["a"])], answerFrom: "b" };
    const plan = after(submittedPlan(chain), succeeded("z"), failed("a"), skipped(["b"], "a"));
    expect(endOf(plan)).toEqual(["partial", "step a failed: boom; step b, which was to answer, did not run"]);
  });

  it("fails when no step gave a result", () => {
    const plan = after(submittedPlan(ab), failed("a"), failed("b"));
    expect(endOf(plan)).toEqual(["failed", "step b failed: boom"]);
    expect(plan.conclusion?.answer?.status).toBe("failed");
  });

  it("is partial when a side branch failed permanently", () => {
    const plan = after(submittedPlan(ab), failed("a"), succeeded("b", "seven"));
    expect(endOf(plan)).toEqual(["partial", "step a failed: boom."]);
  });

  it("is partial when items of a repeated step failed", () => {
    const each = step("a", [], { forEach: { $ref: "l.output" } });
    const goal = submittedPlan({ steps: [step("l"), each, step("b")], answerFrom: "b" });
    const begun = andAfter(after(goal, succeeded("l", [1, 2]), succeeded("b")), expanded("a", 2));
    const plan = andAfter(begun, succeeded("a", 1, 1, { item: 0 }), failed("a", 1, { item: 1 }));
    expect(endOf(plan)).toEqual(["partial", "step a failed for 1 of its items."]);
  });

  it("succeeds when a fallback replaced a step that failed", () => {
    const steps = [step("a", [], { fallback: "c" }), step("c"), step("b", ["a"])];
    const plan = after(
      submittedPlan({ steps, answerFrom: "b" }),
      failed("a"),
      succeeded("c"),
      succeeded("b"),
    );
    expect(endOf(plan)[0]).toBe("succeeded");
  });

  it("succeeds when a step was skipped because its condition was false", () => {
    const steps = [step("a"), step("c", ["a"], { when: "a.output.more" }), step("b")];
    const goal = submittedPlan({ steps, answerFrom: "b" });
    expect(endOf(recorded(after(goal, succeeded("a", { more: false }), succeeded("b"))))[0]).toBe(
      "succeeded",
    );
  });

  it("answers with a preview when the list of a repeated step is too long, and calls no model", () => {
    const each = step("b", [], { forEach: { $ref: "a.output" } });
    const goal = submittedPlan({ steps: [step("a"), each], answerFrom: "b" });
    let plan = andAfter(after(goal, succeeded("a", [1, 2])), expanded("b", 2));
    for (const item of [0, 1]) plan = andAfter(plan, succeeded("b", "x".repeat(40_000), 1, { item }));
    expect(endOf(plan)[0]).toBe("succeeded");
    expect(plan.conclusion?.answer?.text).toMatch(/The whole answer is the list of 2 results of step b\.$/);
    expect(plan.conclusion?.answer).not.toHaveProperty("data");
  });
});

describe("an effect that has a compensation", () => {
  it("is kept when the plan is partial", () => {
    const goal = submittedPlan({ steps: [write("w"), step("a"), step("b")], answerFrom: "b" });
    const plan = after(goal, succeeded("w"), failed("a"), succeeded("b"));
    expect(endOf(plan)[0]).toBe("partial");
    expect(plan.compensations).toBeUndefined();
    expect(decideNext(plan)).toMatchObject([{ kind: "record", event: { type: "answer.given" } }]);
  });

  it("is kept when every step delivered and only the answer is missing", () => {
    const goal = submitted([write("w"), step("b")], { maxReplans: 0 });
    const plan = after(goal, succeeded("w"), succeeded("b"), revisionRequested(1, { sources: ["b"] }));
    expect(endOf(plan)[0]).toBe("partial");
    expect(plan.compensations).toBeUndefined();
  });

  it("is undone when the answer step failed: the plan fails", () => {
    const goal = submittedPlan({ steps: [write("w"), step("b", ["w"])], answerFrom: "b" });
    const plan = after(goal, succeeded("w"), failed("b"));
    expect(endOf(plan)).toEqual(["failed", "step b failed: boom"]);
    expect(decideNext(plan)).toMatchObject([{ kind: "run", work: { stepId: "w", undo: true } }]);
  });
});

describe("a plan whose results were synthesized", () => {
  it.each([
    [{ status: "success" }, "succeeded"],
    [{ status: "no_match" }, "succeeded"],
    [{ status: "insufficient_stock" }, "succeeded"],
    [{ status: "invalid_request" }, "succeeded"],
    [{ status: "unsupported_intent" }, "succeeded"],
    [{ status: "partial" }, "partial"],
    [{ status: "failed" }, "failed"],
  ])("turns the answer %o into the outcome %s", (of, outcome) => {
    expect(endOf(after(...two(), answered(of)))[0]).toBe(outcome);
  });

  it("is partial when a step failed, whatever the synthesis says", () => {
    const plan = after(submitted([step("a"), step("b")]), succeeded("a"), failed("b"), answered({}));
    expect(endOf(plan)).toEqual(["partial", "step b failed: boom."]);
    expect(plan.conclusion?.answer).toMatchObject({ text: "42", status: "partial" });
  });

  it("names what failed when no result is usable", () => {
    const plan = after(
      submitted([step("a"), step("b")]),
      failed("a"),
      failed("b"),
      answered({ status: "failed" }),
    );
    expect(endOf(plan)[1]).toBe(
      "the results do not answer the goal: step a failed: boom. step b failed: boom.",
    );
  });

  it("is partial when a step delivered only a part", () => {
    const goal = submitted([step("a"), step("b")]);
    const plan = after(goal, succeeded("a", 1, 1, { partial: "cut off" }), succeeded("b"), answered({}));
    expect(endOf(plan)).toEqual(["partial", "step a is incomplete: cut off."]);
    expect(viewOf(plan, 0).steps[0]).toMatchObject({ status: "succeeded", partial: "cut off" });
  });

  it("is partial after the last revision if it has results, and failed if it has none", () => {
    const kept = after(...two({ maxReplans: 0 }), revisionRequested(1, { sources: ["a"] }));
    expect(endOf(kept)).toEqual(["partial", "max replans exceeded (0): more is needed"]);
    expect(endOf(after(...two({ maxReplans: 0 }), revisionRequested(1)))[0]).toBe("failed");
  });

  it("is partial when its results could not be synthesized", () => {
    let plan = after(...two());
    for (let join = 1; plan.conclusion === undefined && join <= LIMITS.joinsMax + 1; join++)
      plan = andAfter(plan, joinAbandoned(join));
    expect(endOf(plan)[0]).toBe("partial");
  });
});

describe("a requested review", () => {
  it("makes the plan partial when it approves no draft of the answer", () => {
    const plan = after(
      ...two({ review: { answer: { maxIterations: 1 } } }),
      answerDrafted(1),
      answerReviewed({ verdict: "rejected", issues: ["too short"] }),
    );
    expect(endOf(plan)).toEqual(["partial", "No draft of the answer was approved by its review: too short."]);
  });

  it("makes the plan partial when a step's best output is kept without approval", () => {
    const writer = step("a", [], { tool: "model.write", review: { maxIterations: 1 } });
    const goal = submitted([writer, step("b")], { grants: { ...GRANTS, "model.write": WRITER } });
    const rejected = reviewed("a", { verdict: "rejected", issues: ["dull"] });
    const plan = after(goal, succeeded("a", "text"), rejected, succeeded("b"), answered({}));
    expect(endOf(plan)).toEqual(["partial", "step a was not approved by its review: dull."]);
  });

  it("makes the plan partial when the rejected draft runs after all", () => {
    const drafted = [
      submitted(undefined, { review: { plan: true } }),
      draftStarted(1),
      planned(step("a")),
      sealed(1, { answerFrom: "a" }),
      planReviewed({ verdict: "rejected", issues: ["too few sources"] }),
      draftStarted(2),
      abandoned(2, { retryable: false }),
    ];
    const plan = after(...drafted, succeeded("a", "seven"));
    expect(endOf(plan)).toEqual(["partial", "The plan was not approved by its review: too few sources."]);
  });
});

describe("a plan that has ended as partial", () => {
  it("shows in its view and outline that it is partial and has ended", () => {
    const plan = after(
      submittedPlan({ steps: [step("a"), step("b")], answerFrom: "b" }),
      failed("a"),
      succeeded("b"),
    );
    expect(viewOf(plan, 0)).toMatchObject({ ended: false });
    const over = andAfter(plan, answerGiven(undefined), planEnded("partial"));
    expect(viewOf(over, 0)).toMatchObject({ status: "partial", ended: true, outcome: "partial" });
    expect(outlineOf(over)).toMatchObject({
      status: "partial",
      outcome: "partial",
      figures: { outcome: "partial" },
    });
  });

  it("counts as ended, and not only as cancelled, when its view says so", () => {
    const plan = after(...two(), cancelRequested());
    expect(viewOf(plan, 0)).toMatchObject({ status: "cancelled", ended: false });
    expect(viewOf(andAfter(plan, planEnded("cancelled")), 0)).toMatchObject({
      status: "cancelled",
      ended: true,
    });
  });
});

it("matches every possible evidence with a row, and uses every row", () => {
  const used = new Set<string>();
  for (const ending of ["complete", "incomplete", "cancelled", "damaged"] as const) {
    for (const answer of [
      "none",
      "success",
      "partial",
      "no_match",
      "unsupported_intent",
      "failed",
    ] as const) {
      for (const lacksSomething of [true, false]) {
        for (const isHalfDone of [true, false]) {
          const evidence = { ending, answer, lacksSomething, isHalfDone };
          const row = OUTCOME_TABLE.find(({ matches }) => matches(evidence));
          used.add(row?.name ?? "none");
          expect(outcomeOf(evidence)).toBe(row?.outcome);
          const isWhole =
            ending === "complete" && !lacksSomething && !["none", "partial", "failed"].includes(answer);
          expect(outcomeOf(evidence) === "succeeded").toBe(isWhole);
        }
      }
    }
  }
  expect([...used].toSorted()).toEqual(OUTCOME_TABLE.map(({ name }) => name).toSorted());
});
