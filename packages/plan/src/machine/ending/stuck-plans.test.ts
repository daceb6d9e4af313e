// Plans that were never checked: steps that can never run do not keep a plan from ending.
import { describe, expect, it } from "vitest";
import {
  after,
  answerGiven,
  decideNext,
  failed,
  planEnded,
  skipped,
  step,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import { viewOf } from "../../view/plan-view.ts";

const REASON = "no remaining step can ever run: its dependencies are unknown or form a cycle";

describe("a plan whose remaining steps can never run", () => {
  it.each([
    ["two steps wait for each other", [step("a", ["b"]), step("b", ["a"])]],
    ["a step waits for itself", [step("a", ["a"])]],
    ["a step waits for one that does not exist", [step("a", ["zzz"])]],
  ])("fails immediately when %s", (_name, steps) => {
    const plan = after(submitted(steps));
    expect(plan.conclusion).toMatchObject({ outcome: "failed", reason: REASON });
    expect(decideNext(plan)).toMatchObject([
      {
        kind: "record",
        event: { type: "answer.given", data: { answer: { status: "failed", text: REASON } } },
      },
    ]);
  });

  it("lets everything else run first, and says what else is missing", () => {
    const steps = [step("a", ["b"]), step("b", ["a"]), step("c"), step("d", ["c"])];
    expect(after(submitted(steps), succeeded("c")).conclusion).toBeUndefined();
    const plan = after(submitted(steps), succeeded("c"), failed("d"));
    expect(plan.conclusion).toMatchObject({ outcome: "partial", reason: REASON });
    expect(plan.conclusion?.answer?.text).toBe(
      `${REASON}.\n\nResults so far:\n- flow.echo (c): 1\n\nMissing: step d failed: boom.`,
    );
  });

  it("ends although a failed step's dependents were skipped because of another step", () => {
    const steps = [step("a"), step("b"), step("c", ["a", "b"]), step("x", ["y"]), step("y", ["x"])];
    const plan = after(submitted(steps), failed("a"), failed("b"), skipped(["c"], "a"));
    expect(plan.conclusion).toMatchObject({ outcome: "failed", reason: REASON });
  });

  it("keeps showing those steps as waiting once it has ended", () => {
    const plan = after(submitted([step("a", ["a"])]), answerGiven(undefined), planEnded("failed"));
    expect(viewOf(plan, 0)).toMatchObject({
      status: "failed",
      progress: { done: 0, total: 1, percent: 0, etaMs: 0 },
      steps: [{ id: "a", status: "waiting", waitingFor: "dependencies" }],
    });
  });
});
