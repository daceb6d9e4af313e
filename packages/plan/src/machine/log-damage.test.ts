// A log from which facts have vanished: what gives it away, and what becomes of the plan.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerGiven,
  decideNext,
  draftStarted,
  expanded,
  factRecorded,
  faltered,
  logDamaged,
  pauseRequested,
  planEnded,
  planned,
  resumeRequested,
  reviewed,
  revised,
  sealed,
  skipped,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { missingBefore } from "./missing-before.ts";
import type { KnownPlan } from "./plan-state.ts";

const chain = submitted([step("a"), step("b", ["a"])]);

const writing = after(submitted(), draftStarted());
const delayed = [submitted(), draftStarted(), abandoned(1, { cause: "model_failed" })];
const risky = submitted([step("a", [], { tool: "mail.send" })], { approval: { risk: "high" } });
const judged = submitted([step("a", [], { review: {} })]);
const CALL = { tool: "files.write", args: {} };
const done = [submitted([step("a")]), succeeded("a")];

describe("a gap in the log", () => {
  it.each<[string, KnownPlan, PlanEvent, RegExp]>([
    ["an outcome of a step whose needs were not met", after(chain), succeeded("b"), /outcome .* b needs/],
    ["a second attempt after no first", after(chain), succeeded("a", 1, 2), /attempt 1 of step a/],
    ["a retry without its timer", after(chain, faltered("a")), succeeded("a", 1, 2), /timer that a/],
    ["an outcome of a step nobody planned", after(chain), succeeded("z"), /planning of step z/],
    ["a skipping without a failure", after(chain), skipped(["b"], "a"), /failure of step a/],
    ["facts from a step nobody planned", after(chain), factRecorded("z", []), /planning of step z/],
    ["facts from an output that is not there", after(chain), factRecorded("a", []), /success of step a/],
    ["a judgement of a step nobody planned", after(chain), reviewed("z"), /planning of step z/],
    ["a judgement of an output that is not there", after(chain), reviewed("a"), /outcome of step a/],
    [
      "a judgement of a second attempt",
      after(chain),
      reviewed("a", { attempt: 2 }),
      /end of attempt 1 of step a/,
    ],
    ["an end that nothing led to", after(chain), planEnded(), /plan's end/],
    ["a draft that nobody asked for", after(submitted()), draftStarted(2), /draft 2/],
    ["a step of a draft that has not begun", after(submitted()), planned(step("a")), /start of draft 1/],
    [
      "a draft with steps that are not there",
      after(submitted(), draftStarted()),
      sealed(1, { steps: 2 }),
      /2 steps/,
    ],
    ["a revision with a step that is not there", writing, revised(1, { added: ["z"] }), /planning of step z/],
    ["a draft before its timer", after(...delayed), draftStarted(2), /timer that draft 2/],
    ["a skipping because of nobody's step", after(chain), skipped(["b"], "z"), /planning of step z/],
    [
      "an undoing of what has not succeeded",
      after(chain),
      started("a", 1, { undo: true }),
      /success of step a/,
    ],
    ["a start that nobody has let", after(risky), started("a"), /decision about step a/],
    ["a second review", after(judged, succeeded("a")), reviewed("a", { review: 2 }), /review 1 of step a/],
    ["a second pause", after(chain), pauseRequested(2), /end of pause 1/],
    ["a pause in a pause", after(chain, pauseRequested()), pauseRequested(2), /end of pause 1/],
    ["the end of no pause", after(chain), resumeRequested(1), /pause 1/],
    ["an answer that nothing led to", after(chain), answerGiven(undefined), /plan's answer/],
    ["an answer to a question nobody asked", after(chain), answerGiven(1), /judgement 1/],
    ["the length of a list of a step nobody planned", after(chain), expanded("z", 1), /planning of step z/],
    [
      "facts from an item of a list that is not known",
      after(submitted([step("a"), step("e", ["a"], { forEach: { $ref: "a.output" } })])),
      factRecorded("e", [], { item: 1 }),
      /expansion of step e/,
    ],
    [
      "an undoing before the end of the plan",
      after(submitted([step("a", [], { tool: "files.write", compensate: CALL }), step("b")]), succeeded("a")),
      started("a", 1, { undo: true }),
      /decided the plan's end/,
    ],
    ["an end before its answer", after(...done), planEnded(), /plan's answer/],
  ])("is revealed by %s", (_, plan, event, missing) => {
    expect(missingBefore(plan, event)).toMatch(missing);
  });

  it("is not revealed by a worker that continued by itself, or by a review of an attempt that is over", () => {
    const via = { stepId: "a", attempt: 1 };
    expect(missingBefore(after(chain), succeeded("b", 1, 1, { via }))).toBeUndefined();
    const rejected = reviewed("a", { verdict: "rejected", score: 0.1, issues: ["too short"] });
    const again = after(
      submitted([step("a", [], { tool: "draft.write", review: { maxIterations: 2 } })]),
      succeeded("a"),
      rejected,
    );
    expect(stepOf(again, "a").state).toMatchObject({ status: "running", attempt: 2 });
    expect(missingBefore(again, reviewed("a", { review: 2 }))).toBeUndefined();
  });

  it("is not revealed by a repeated review of a step that waits for its verification", () => {
    const [output, check] = [step("a", [], { review: {} }), step("check", ["a"], { verifies: "a" })];
    const unjudged = { verdict: "unjudged", message: "no judgement", cause: "interrupted" };
    const accepted = after(
      submitted([output, check]),
      succeeded("a"),
      reviewed("a", unjudged),
      reviewed("a", { ...unjudged, review: 2 }),
      reviewed("a", { review: 3 }),
    );
    expect(stepOf(accepted, "a").state).toMatchObject({ status: "reviewing", for: "verification" });
    expect(missingBefore(accepted, reviewed("a", { ...unjudged, review: 2 }))).toBeUndefined();
  });

  it("is not revealed by an event that is late, repeated or irrelevant", () => {
    const plan = after(chain, succeeded("a"));
    const looks = [factRecorded("a", []), reviewed("a"), reviewed("z", { item: 1 })];
    for (const event of [succeeded("a"), faltered("a"), timerFired("x"), ...looks]) {
      expect(missingBefore(plan, event)).toBeUndefined();
    }
  });
});

describe("a plan whose log is damaged", () => {
  it("stops, and ends as failed with what it has", () => {
    const plan = after(chain, succeeded("a", "kept"), logDamaged("the outcome of c is gone"));
    expect([stepOf(plan, "a").state.status, stepOf(plan, "b").state.status]).toEqual([
      "succeeded",
      "cancelled",
    ]);
    expect(plan.damage).toBe("the outcome of c is gone");
    expect(decideNext(plan).map(({ kind }) => kind)).toEqual(["stop", "record"]);
    expect(plan.conclusion).toMatchObject({
      outcome: "failed",
      reason: "the plan's log is damaged: the outcome of c is gone",
    });
    expect(andAfter(plan, logDamaged("again"))).toBe(plan);
  });

  it("is only marked once its end was decided", () => {
    const concluded = after(chain, succeeded("a"), succeeded("b"));
    const plan = andAfter(concluded, logDamaged());
    expect(plan.damage).toBe("a fact is gone");
    expect(plan.conclusion).toEqual(concluded.conclusion);
  });
});
