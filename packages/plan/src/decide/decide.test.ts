// The commands of a decision in detail; skips.test.ts, drafts.test.ts and others cover when they are given.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  approvalRequested,
  AT,
  cancelRequested,
  decideNext,
  faltered,
  ONCE,
  planEnded,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import { attemptName } from "../events/values.ts";
import { decide } from "./decide.ts";
import { overdueTimers } from "./owed.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { StepWork } from "../events/work.ts";

const workOf = (more: object, goal: object = {}) => {
  const [command] = decide(after(submitted([step("a", [], more)], goal)));
  return command?.kind === "run" ? command.work : undefined;
};

describe("the work of a step", () => {
  it("uses the settings of its tool and its grant", () => {
    const work = workOf({ tool: "mail.send", args: { to: "x" } });
    expect(work).toEqual({
      planId: "p1",
      tenant: "local",
      stepId: "a",
      item: 0,
      attempt: 1,
      sentAfter: 0,
      tool: "mail.send",
      args: { to: "x" },
      pool: ONCE.pool,
      effect: ONCE.effect,
      timeoutMs: ONCE.timeoutMs,
      trace: after(submitted()).goal.trace,
    });
    expect(StepWork.parse(work)).toEqual(work);
  });

  it("uses the step's own settings where it has any", () => {
    expect(workOf({ agent: "researcher", timeoutMs: 5, model: "small" })).toMatchObject({
      pool: "researcher",
      timeoutMs: 5,
      model: "small",
    });
  });

  it("names the only sources that the plan can use", () => {
    expect(workOf({}, { sources: ["sales"] })?.sources).toEqual(["sales"]);
    expect(workOf({})).not.toHaveProperty("sources");
  });

  it("has an id that names the plan, the step, the item and the attempt", () => {
    const plan = after(submitted([step("a")]));
    expect(decideNext(plan)).toMatchObject([{ id: "p1/a/0/1" }]);
    expect(attemptName({ stepId: "a", attempt: 2 })).toBe("a/0/2");
  });
});

describe("a timer", () => {
  it("writes its own event at its time, under an id that names it", () => {
    expect(decide(after(submitted([step("a", [], { retry: { backoffMs: 0 } })]), faltered("a")))).toEqual([
      {
        kind: "schedule",
        timer: "retry-a-0-2",
        at: "2026-01-01T00:00:00.000Z",
        event: {
          id: "p1/timer/retry-a-0-2",
          type: "timer.fired",
          planId: "p1",
          data: { timer: "retry-a-0-2" },
        },
      },
    ]);
  });
});

describe("a timer that the server did not fire", () => {
  const retrying = after(submitted([step("a", [], { retry: { backoffMs: 60_000 } })]), faltered("a"));
  const [schedule] = decideNext(retrying);
  const [timer, at] = schedule?.kind === "schedule" ? [schedule.timer, schedule.at] : ["none", AT];
  const asked = (plan: KnownPlan, nowMs: number) => decide(plan, overdueTimers(plan, nowMs));

  it("is asked for again once its time has come, and not before", () => {
    expect(asked(retrying, Date.parse(at) - 1)).toEqual([]);
    expect(asked(retrying, Date.parse(at))).toEqual([schedule]);
  });

  it("is not requested again once it has fired or its plan has ended", () => {
    const farOff = Date.parse(at) + 1_000_000;
    expect(asked(andAfter(retrying, timerFired(timer)), farOff)).toEqual([]);
    expect(asked(andAfter(retrying, cancelRequested(), planEnded("cancelled")), farOff)).toEqual([]);
  });

  it("can be the one that rejects an undecided approval", () => {
    const waiting = after(submitted([step("a", [], { tool: "mail.send" })], { approval: { risk: "high" } }));
    const plan = andAfter(waiting, approvalRequested(waiting, "a"));
    expect(asked(plan, Date.parse(AT))).toEqual([]);
    expect(asked(plan, Number.MAX_SAFE_INTEGER)).toMatchObject([{ kind: "schedule" }]);
  });
});

describe("a dispatcher that takes over", () => {
  it("repeats the commands in flight, but none for finished work or work that cannot start", () => {
    const plan = after(submitted([step("a"), step("b", ["a"]), step("c"), step("d", ["c"])]), succeeded("a"));
    const ids = decide(plan).map((command) => (command.kind === "run" ? command.id : command.kind));
    expect(ids.toSorted()).toEqual(["p1/b/0/1", "p1/c/0/1"]);
  });

  it("records the answer if it is not recorded yet, and then the end", () => {
    const answering = after(submitted([step("a")]), succeeded("a", "seven"));
    expect(decide(answering)).toMatchObject([
      { event: { id: "p1/answer", data: { answer: { text: "seven" } } } },
    ]);
    const ending = andAfter(answering, answerGiven(undefined));
    expect(decide(ending)).toMatchObject([{ event: { id: "p1/end", type: "plan.ended" } }]);
  });
});

describe("a command that is no longer due", () => {
  it("is not issued", () => {
    const plan = after(submitted([step("a")]));
    const { id } = stepOf(plan, "a").step;
    const done = andAfter(plan, succeeded("a"));
    expect(decide(done, [{ kind: "run", stepId: id }])).toEqual([]);
    expect(decide(plan, [{ kind: "answer" }, { kind: "end" }, { kind: "skip", because: id }])).toEqual([]);
  });
});
