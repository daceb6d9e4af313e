// Redrives: what happens to a dead-lettered step when a user retries it.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  draftStarted,
  failed,
  givenUp,
  passedOver,
  redriveRequested,
  revisionRequested,
  skipped,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import { StepId } from "../../values/ids.ts";
import { type KnownPlan } from "../plan-state.ts";
import { redriveRefusal } from "./redrive.ts";

/** `a → b → c`, and `other`, which is still running. */
const STEPS = [step("a"), step("b", ["a"]), step("c", ["b"]), step("other")];
const lost = after(submitted(STEPS), givenUp("a"), skipped(["b", "c"], "a"));

const statuses = (plan: KnownPlan) => [...plan.steps].map(([id, { state }]) => `${id} ${state.status}`);
const refusal = (plan: KnownPlan, stepId = "a", attempt = 1) =>
  redriveRefusal(plan, { stepId: StepId.parse(stepId), item: 0, attempt });

describe("a redrive", () => {
  it("starts the next attempt, and the steps that were skipped because of the failure wait again", () => {
    const plan = andAfter(lost, redriveRequested("a"));
    expect(statuses(plan)).toEqual(["a running", "b waiting", "c waiting", "other running"]);
    expect([plan.done, plan.total, plan.inFlight, plan.seq]).toEqual([0, 4, 2, lost.seq + 1]);
    expect(decideNext(plan)).toMatchObject([
      { kind: "run", id: "p1/a/0/2", work: { stepId: "a", attempt: 2 } },
    ]);
    expect(stepOf(plan, "a").failedAttempts).toMatchObject([{ attempt: 1 }]);
    const done = andAfter(plan, succeeded("a", 1, 2), succeeded("b"), succeeded("c"), succeeded("other"));
    expect(statuses(done).every((text) => text.endsWith("succeeded"))).toBe(true);
  });

  it("restores steps that were skipped as not needed, and their dependents, when it retries a fallback", () => {
    const plan = after(
      submitted([
        step("a", [], { fallback: "b" }),
        step("check", ["a"], { verifies: "a" }),
        step("b", [], { fallback: "c" }),
        step("c", ["check"]),
        step("other"),
      ]),
      failed("a"),
      passedOver(["check"], "a"),
      givenUp("b"),
      passedOver(["c"], "check"),
    );
    expect(statuses(plan)).toEqual(["a failed", "check skipped", "b failed", "c skipped", "other running"]);
    const again = andAfter(plan, redriveRequested("b"));
    expect(statuses(again)).toEqual(["a failed", "check waiting", "b running", "c waiting", "other running"]);
    expect([stepOf(again, "check"), stepOf(again, "c")]).toMatchObject([
      { unmet: 1, state: { for: "dependencies" } },
      { unmet: 1, state: { for: "dependencies" } },
    ]);
    // Whether there is something to verify now is decided as before.
    const done = andAfter(again, succeeded("b", 1, 2));
    expect([stepOf(done, "check").state, done.undecided.has(StepId.parse("check"))]).toMatchObject([
      { status: "waiting", for: "condition" },
      true,
    ]);
  });

  it("counts once for each attempt", () => {
    const plan = andAfter(lost, redriveRequested("a"));
    expect(andAfter(plan, redriveRequested("a"))).toBe(plan);
    expect(refusal(plan)).toBe("not_given_up");
    const again = andAfter(plan, givenUp("a", 2));
    expect(andAfter(again, redriveRequested("a"))).toBe(again);
    expect(refusal(again, "a", 2)).toBeUndefined();
  });

  it("overrides a skip that the dispatcher had already decided", () => {
    const plan = andAfter(after(submitted(STEPS), givenUp("a")), redriveRequested("a"));
    expect(andAfter(plan, skipped(["b", "c"], "a"))).toBe(plan);
    const again = andAfter(plan, givenUp("a", 2));
    const ids = [after(submitted(STEPS), givenUp("a")), again].map((one) => decideNext(one));
    expect(ids[0]).toMatchObject([{ kind: "record", event: { data: { stepIds: ["b", "c"] } } }]);
    // A different decision than the first: a repetition would be dropped.
    expect(ids[1]).not.toEqual(ids[0]);
    expect(ids[1]).toMatchObject([{ kind: "record", event: { data: { stepIds: ["b", "c"] } } }]);
  });

  it("leaves a step skipped that another failed step blocks, and skips it again for that reason", () => {
    const steps = [step("a"), step("x"), step("b", ["a", "x"]), step("other")];
    const both = after(submitted(steps), givenUp("a"), skipped(["b"], "a"), failed("x"));
    const plan = andAfter(both, redriveRequested("a"));
    expect(decideNext(plan)).toMatchObject([
      { kind: "run", work: { stepId: "a" } },
      { kind: "record", event: { type: "step.skipped", data: { stepIds: ["b"], because: "x" } } },
    ]);
  });

  it("is followed by a new decision to skip, not by a repetition of the earlier one", () => {
    const steps = [step("a"), step("x"), step("b", ["a", "x"]), step("other")];
    const both = after(submitted(steps), givenUp("a"), failed("x"));
    const before = decideNext(both);
    const plan = andAfter(both, skipped(["b"], "a"), redriveRequested("a"));
    expect(decideNext(plan)[1]).not.toEqual(before[0]);
    expect([before[0], decideNext(plan)[1]]).toMatchObject([
      { event: { data: { stepIds: ["b"], because: "x" } } },
      { event: { data: { stepIds: ["b"], because: "x" } } },
    ]);
  });

  it("withdraws a synthesis that is running", () => {
    const reflecting = after(submitted([step("a"), step("b")]), succeeded("b"), givenUp("a"));
    expect([reflecting.status, reflecting.joining]).toEqual([
      "reflecting",
      { number: 1, phase: "requested" },
    ]);
    const plan = andAfter(reflecting, redriveRequested("a"));
    expect(plan.status).toBe("running");
    expect(decideNext(plan).map(({ kind }) => kind)).toEqual(["stop", "run"]);
    expect(andAfter(plan, answerGiven(1))).toBe(plan);
    const settled = andAfter(plan, succeeded("a", 1, 2));
    expect(settled.joining).toEqual({ number: 2, phase: "requested" });
  });

  it.each([
    ["no_such_step", lost, "z"],
    ["not_given_up", andAfter(lost, failed("other")), "other"],
    ["not_given_up", lost, "b"],
    ["decided", andAfter(lost, cancelRequested()), "a"],
    ["decided", andAfter(lost, succeeded("other"), revisionRequested(1)), "a"],
    ["decided", andAfter(lost, succeeded("other"), revisionRequested(1), draftStarted(1)), "a"],
    [
      "may_have_acted",
      after(submitted([step("a", [], { tool: "mail.send" }), step("b")]), started("a"), givenUp("a")),
      "a",
    ],
  ])("is refused as %s (%#)", (reason, plan, stepId) => {
    expect(refusal(plan, stepId)).toBe(reason);
    expect(andAfter(plan, redriveRequested(stepId))).toBe(plan);
  });
});
