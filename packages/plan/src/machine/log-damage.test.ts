// Logs from which events have vanished: how that is detected, and what happens to the plan.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerGiven,
  decideNext,
  draftStarted,
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
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { LogReading } from "./log-reading.ts";

const chain = submitted([step("a"), step("b", ["a"])]);
const retried = [chain, faltered("a"), timerFired("retry-a-0-2"), succeeded("a", 1, 2)];
const drafted = [submitted(), draftStarted(), planned(step("a")), sealed(1, { steps: 1 })];
const paused = [chain, pauseRequested(), resumeRequested(1), pauseRequested(2)];

/** The events as stored by a dispatcher and workers that have read everything before. */
function written(events: readonly PlanEvent[]): PlanEvent[] {
  const reading = new LogReading();
  return events.map((event) => {
    const { digest } = reading;
    reading.add(event.id);
    return { ...event, after: digest };
  });
}

/** What is missing from a log according to its last event. */
function missingFrom(log: readonly PlanEvent[]): string | undefined {
  const reading = new LogReading();
  const last = log.at(-1);
  for (const { id } of log.slice(0, -1)) reading.add(id);
  return last && reading.missingBefore(after(...log.slice(0, -1)), last);
}

describe("a gap in the log", () => {
  it.each<[string, readonly PlanEvent[], PlanEvent["type"]]>([
    [
      "the outcome of a step that another one needed",
      [chain, succeeded("a"), succeeded("b")],
      "step.succeeded",
    ],
    ["a failure before the retry", retried, "step.failed"],
    ["the timer of a retry", retried, "timer.fired"],
    ["the planning of a step", [...drafted, succeeded("a")], "step.planned"],
    ["the output that was reviewed", [chain, succeeded("a"), reviewed("a")], "step.succeeded"],
    [
      "the answer",
      [chain, succeeded("a"), succeeded("b"), answerGiven(undefined), planEnded()],
      "answer.given",
    ],
    ["an event that changed nothing", [chain, timerFired("x"), succeeded("a")], "timer.fired"],
  ])("is revealed by the next event whose writer had read %s", (_, events, lost) => {
    const log = written(events);
    expect(missingFrom(log)).toBeUndefined();
    const rest = log.filter(
      (event) => event !== log.findLast((one, at) => one.type === lost && at < log.length - 1),
    );
    expect(missingFrom(rest)).toBe(`an event before ${log.at(-1)?.id}`);
  });

  it.each<[string, readonly PlanEvent[], number]>([
    ["a step of a draft that has not started", drafted.slice(0, 3), 1],
    ["a draft with fewer steps than it counts", drafted, 2],
    ["the end of a draft that has not started", drafted, 1],
    ["a revision with a step that is not there", [...drafted.slice(0, 3), revised(1, { added: ["a"] })], 2],
    ["a second pause without a first", [chain, pauseRequested(), pauseRequested(2)], 1],
    ["a pause in a pause", paused, 2],
    ["the end of no pause", paused.slice(0, 3), 1],
  ])("is revealed by %s, whatever its writer had read", (_, events, lost) => {
    expect(missingFrom(events.toSpliced(lost, 1))).toBe(`an event before ${events.at(-1)?.id}`);
  });

  it("is not revealed by an event whose writer had read less, or does not say how much", () => {
    const late = { ...factRecorded("a", []), after: new LogReading().digest };
    for (const event of [late, succeeded("a"), succeeded("b"), timerFired("x"), sealed(2, { steps: 2 })]) {
      expect(missingFrom([chain, event])).toBeUndefined();
    }
  });

  it("is not revealed by an event after the end, nor by one of an earlier draft", () => {
    const over = [chain, succeeded("a"), succeeded("b"), answerGiven(undefined), planEnded()];
    expect(missingFrom([...over, { ...succeeded("b"), after: 1 }])).toBeUndefined();
    const again = [submitted(), draftStarted(), abandoned(1, { cause: "model_failed" }), draftStarted(2)];
    expect(missingFrom([...again, sealed(1, { steps: 3 })])).toBeUndefined();
  });
});

describe("a plan whose log is damaged", () => {
  it("stops, and ends as failed with its results so far", () => {
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

  it("is only marked as damaged if its end was already decided", () => {
    const concluded = after(chain, succeeded("a"), succeeded("b"));
    const plan = andAfter(concluded, logDamaged());
    expect(plan.damage).toBe("a fact is gone");
    expect(plan.conclusion).toEqual(concluded.conclusion);
  });
});
