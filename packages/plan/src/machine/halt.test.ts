// Pausing, resuming and the delayed start: what a halted plan holds back, and how it continues.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  draftStarted,
  failed,
  faltered,
  kindsOf,
  pauseRequested,
  planEnded,
  planned,
  resumeRequested,
  revisionRequested,
  sealed,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { owed } from "../decide/owed.ts";
import { evolve } from "./evolve.ts";
import { isWorkWanted } from "../decide/is-work-wanted.ts";
import { viewOf } from "../view/plan-view.ts";
import type { KnownPlan } from "./plan-state.ts";
import { StepWork } from "../events/work.ts";

const two = submitted([step("a"), step("b", ["a"])]);
const writing = submitted([step("a", [], { tool: "files.write" })]);
const LATER = "2026-01-02T00:00:00.000Z";

describe("a paused plan", () => {
  it("records the outcomes of running steps, and starts no step that becomes ready", () => {
    const plan = after(two, pauseRequested(), succeeded("a"));
    expect(kindsOf(plan)).toEqual([]);
    expect(kindsOf(plan, owed(plan))).toEqual([]);
    expect(viewOf(plan, 0)).toMatchObject({
      status: "paused",
      pause: { reason: "let me look", by: "someone" },
      steps: [{ status: "succeeded" }, { status: "waiting", waitingFor: "resume" }],
    });
  });

  it("continues where it stopped when it resumes", () => {
    const plan = after(two, pauseRequested(), succeeded("a"), resumeRequested());
    expect(plan.status).toBe("running");
    expect(worksOf(plan)).toMatchObject([{ stepId: "b", attempt: 1 }]);
  });

  it("does not end before it resumes", () => {
    const done = after(submitted([step("a")]), pauseRequested(), succeeded("a", 7));
    expect(kindsOf(done, owed(done))).toEqual([]);
    expect(kindsOf(andAfter(done, resumeRequested()))).toEqual(["answer.given"]);
  });

  it("keeps the answer of a synthesis that was requested before the pause, and ends with it when it resumes", () => {
    const judged = after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b"), pauseRequested());
    const answered = andAfter(judged, answerGiven(1));
    expect(kindsOf(answered, owed(answered))).toEqual([]);
    expect(answered.status).toBe("paused");
    expect(kindsOf(andAfter(answered, resumeRequested()))).toEqual(["plan.ended"]);
  });

  it("can be cancelled, even when its end is decided, and keeps the answer that it had", () => {
    const judged = after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b"), pauseRequested());
    const plan = andAfter(judged, answerGiven(1), cancelRequested());
    expect(kindsOf(plan)).toEqual(["plan.ended"]);
    expect(viewOf(plan, 0)).toMatchObject({ status: "cancelled", answer: { text: "42" } });
    expect(viewOf(plan, 0)).not.toHaveProperty("pause");
  });

  it("requests no draft and no revision until it resumes", () => {
    const delayed = after(submitted(), draftStarted(), abandoned(1, { cause: "model_failed" }));
    const plan = andAfter(delayed, pauseRequested(), timerFired("draft-2"));
    expect(kindsOf(plan, owed(plan))).toEqual([]);
    expect(kindsOf(andAfter(plan, resumeRequested()))).toEqual(["draft"]);
    const judging = after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b"));
    const revising = andAfter(judging, pauseRequested(), revisionRequested(1));
    expect(kindsOf(revising)).toEqual([]);
    expect(kindsOf(andAfter(revising, resumeRequested()))).toEqual(["draft"]);
  });

  it("records the rest of a draft, and starts its steps when it resumes", () => {
    const plan = after(
      submitted(),
      draftStarted(),
      planned(step("a")),
      pauseRequested(),
      planned(step("b"), { index: 1 }),
      sealed(),
    );
    expect(kindsOf(plan)).toEqual([]);
    expect(worksOf(andAfter(plan, resumeRequested())).map(({ stepId }) => stepId)).toEqual(["a", "b"]);
  });

  it("does not retry a step before it resumes", () => {
    const plan = after(two, faltered("a"), pauseRequested(), timerFired("retry-a-0-2"));
    expect(kindsOf(plan)).toEqual([]);
    expect(worksOf(andAfter(plan, resumeRequested()))).toMatchObject([{ stepId: "a", attempt: 2 }]);
  });

  it("still skips the dependents of a failed step", () => {
    expect(kindsOf(after(two, pauseRequested(), failed("a")))).toEqual(["step.skipped"]);
  });
});

describe("an attempt that was sent before the pause", () => {
  const workOf = (plan: KnownPlan) => StepWork.parse(worksOf(plan)[0]);

  it("is sent again when the plan resumes, and its old message is no longer wanted", () => {
    const first = after(writing);
    const paused = andAfter(first, pauseRequested());
    const resumed = andAfter(paused, resumeRequested());
    expect(isWorkWanted(first, workOf(first))).toBe(true);
    expect(isWorkWanted(paused, workOf(first))).toBe(false);
    expect(isWorkWanted(resumed, workOf(first))).toBe(false);
    expect(workOf(resumed)).toMatchObject({ stepId: "a", attempt: 1, sentAfter: 1 });
    expect(isWorkWanted(resumed, workOf(resumed))).toBe(true);
    expect(decide(resumed)).toEqual(decideNext(resumed));
  });

  it("stays with its worker if it had started", () => {
    const plan = after(writing, started("a"), pauseRequested());
    expect(isWorkWanted(plan, workOf(after(writing)))).toBe(true);
    expect(worksOf(andAfter(plan, resumeRequested()))).toEqual([]);
  });

  it("keeps the same message if it only reads", () => {
    const first = after(two);
    const resumed = andAfter(first, pauseRequested(), resumeRequested());
    expect(workOf(resumed)).toEqual(workOf(first));
    expect(isWorkWanted(andAfter(first, pauseRequested()), workOf(first))).toBe(true);
  });

  it("is no longer wanted when the plan is cancelled, whether or not it had started", () => {
    const plan = after(writing, started("a"), cancelRequested());
    expect(isWorkWanted(plan, workOf(after(writing)))).toBe(false);
  });
});

describe("pausing and resuming", () => {
  it("count once for each number, in order", () => {
    const paused = after(two, pauseRequested());
    for (const event of [pauseRequested(), pauseRequested(2), resumeRequested(2)]) {
      expect(evolve(paused, event)).toBe(paused);
    }
    const resumed = andAfter(paused, resumeRequested());
    for (const event of [pauseRequested(), resumeRequested(), resumeRequested(2)]) {
      expect(evolve(resumed, event)).toBe(resumed);
    }
    expect(andAfter(resumed, pauseRequested(2))).toMatchObject({ status: "paused", pauses: 2 });
  });

  it("are ignored once the end is decided", () => {
    const answering = after(submitted([step("a")]), succeeded("a"));
    expect(evolve(answering, pauseRequested())).toBe(answering);
    const ended = after(two, cancelRequested(), planEnded("cancelled"));
    expect(evolve(ended, pauseRequested())).toBe(ended);
  });
});

describe("a plan that starts later", () => {
  it("schedules its timer, and nothing else", () => {
    const plan = after(submitted(undefined, { startAt: LATER }));
    expect(plan).toMatchObject({ status: "scheduled", startsAt: LATER });
    expect(decideNext(plan)).toMatchObject([{ kind: "schedule", timer: "start", at: LATER }]);
    expect(decide(plan)).toEqual(decideNext(plan));
    const started = andAfter(plan, timerFired("start"));
    expect(started.status).toBe("planning");
    expect(kindsOf(started)).toEqual(["draft"]);
  });

  it("shows the steps that it was submitted with, and sends them when it starts", () => {
    const steps = [step("a"), step("b", ["a"])];
    const plan = after(submitted(steps, { startAt: LATER }));
    expect(viewOf(plan, 0)).toMatchObject({
      status: "scheduled",
      startsAt: LATER,
      steps: [{ waitingFor: "start" }, { waitingFor: "dependencies" }],
    });
    expect(worksOf(andAfter(plan, timerFired("start")))).toMatchObject([{ stepId: "a", sentAfter: 0 }]);
  });

  it("starts immediately when its start time has passed", () => {
    expect(after(submitted(undefined, { startAt: "2025-01-01T00:00:00Z" }))).toMatchObject({
      status: "planning",
    });
  });

  it("can be paused beyond its start time, and continues when it is resumed and the time has come", () => {
    const plan = after(submitted([step("a")], { startAt: LATER }), pauseRequested());
    expect(worksOf(andAfter(plan, timerFired("start")))).toEqual([]);
    expect(worksOf(andAfter(plan, timerFired("start"), resumeRequested()))).toHaveLength(1);
    const resumed = andAfter(plan, resumeRequested());
    expect(resumed.status).toBe("scheduled");
    expect(worksOf(andAfter(resumed, timerFired("start")))).toHaveLength(1);
  });

  it("can be cancelled while it waits, and then ignores its timer", () => {
    const plan = after(submitted([step("a")], { startAt: LATER }), cancelRequested());
    expect(kindsOf(plan)).toEqual(["plan.ended"]);
    expect(evolve(plan, timerFired("start"))).toBe(plan);
    expect(viewOf(plan, 0)).not.toHaveProperty("startsAt");
  });
});

it("lets a redelivered attempt start again, each delivery once", () => {
  const plan = after(two, started("a"));
  expect(evolve(plan, started("a", 1, { workerId: "w2" }))).toBe(plan);
  const again = andAfter(plan, started("a", 1, { workerId: "w2", delivery: 2 }));
  expect(stepOf(again, "a").state).toMatchObject({ workerId: "w2", delivery: 2 });
  expect(evolve(again, started("a", 1, { workerId: "w3", delivery: 2 }))).toBe(again);
});
