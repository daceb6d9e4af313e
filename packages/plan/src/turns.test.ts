// Turns of a step: facts that whoever goes on with it finds, and what a step may ask for at its end.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  fact,
  faltered,
  kindsOf,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../test/facts.ts";
import { viewOf } from "./plan-view.ts";
import { begunCall } from "./state/call-ledger.ts";
import type { KnownPlan } from "./state/plan-state.ts";

const react = { id: "a", tool: "flow.echo" };
const turn = (number: number, attempt = 1, more: object = {}) =>
  fact("turn.taken", {
    stepId: "a",
    item: 0,
    attempt,
    turn: number,
    thought: `t${number}`,
    tool: "flow.echo",
    args: {},
    output: { value: number },
    ...more,
  });

it("keeps the turns of a step in their order, each once", () => {
  const plan = after(submitted([react]), turn(1), turn(2));
  expect(viewOf(plan, 0).steps[0]?.turns).toMatchObject([
    { turn: 1, output: { value: 1 } },
    { turn: 2, thought: "t2" },
  ]);
  for (const late of [turn(1), turn(2), turn(4), turn(3, 2)]) expect(andAfter(plan, late)).toBe(plan);
});

it("goes on after the last turn when the step is tried again", () => {
  const failed = after(submitted([react]), turn(1), faltered("a"));
  const again = andAfter(failed, timerFired("retry-a-0-2"), turn(2, 2));
  expect(stepOf(again, "a").turns?.map(({ turn: number, attempt }) => [number, attempt])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

it("takes no turn of a step that is over, or no longer wanted", () => {
  const done = after(submitted([react, { id: "b", tool: "flow.echo" }]), succeeded("a"));
  expect(andAfter(done, turn(1))).toBe(done);
  const cancelled = after(submitted([react]), cancelRequested());
  expect(andAfter(cancelled, turn(1))).toBe(cancelled);
});

it("is revised once when a step finds out that the plan has to change", () => {
  const plan = after(submitted([react, { id: "b", tool: "flow.echo" }]), succeeded("b"));
  const wanted = andAfter(plan, succeeded("a", "found", 1, { replan: { reason: "there are two files" } }));
  expect(kindsOf(wanted)).toEqual(["draft"]);
  expect(wanted.drafting).toMatchObject({
    revision: 1,
    cause: "requires_replan",
    causedBy: "a",
    reason: "there are two files",
  });
  expect(stepOf(wanted, "b").state.status).toBe("succeeded");
  expect(andAfter(wanted, succeeded("a", "found", 1, { replan: { reason: "again" } }))).toBe(wanted);
});

describe("a call that changes something", () => {
  const call = (number: number, attempt = 1, more: object = {}) =>
    fact("call.started", {
      stepId: "a",
      item: 0,
      attempt,
      turn: number,
      thought: "so",
      tool: "files.write",
      args: { path: "a" },
      effect: "idempotent",
      workerId: "w1",
      ...more,
    });
  const effectsOf = (plan: KnownPlan) =>
    viewOf(plan, 0).effects.map(({ key, turn: number, tool, status, attempt }) => [
      key,
      number,
      tool,
      status,
      attempt,
    ]);

  it("stands in the ledger under its own key, from its start to its end", () => {
    const begun = after(submitted([react]), turn(1), call(2));
    expect(effectsOf(begun)).toEqual([["p1/a/0/2", 2, "files.write", "started", 1]]);
    expect(begunCall(stepOf(begun, "a"))).toMatchObject({ turn: 2, args: { path: "a" } });
    const done = andAfter(begun, turn(2));
    expect(effectsOf(done)).toEqual([["p1/a/0/2", 2, "files.write", "done", 1]]);
    expect(begunCall(stepOf(done, "a"))).toBeUndefined();
  });

  it.each([
    [{ output: undefined, error: { code: "e", message: "m" } }, "failed"],
    [{ output: undefined, error: { code: "outcome_unknown", message: "m" }, uncertain: true }, "unknown"],
  ])("that came to nothing %j is %s", (end, status) => {
    const plan = after(submitted([react]), call(1), turn(1, 1, end));
    expect(effectsOf(plan).map((effect) => effect[3])).toEqual([status]);
  });

  it("is begun once in a turn, by the attempt that runs, and never again", () => {
    const plan = after(submitted([react]), call(1));
    for (const late of [call(1), call(1, 1, { tool: "mail.send" })]) expect(andAfter(plan, late)).toBe(plan);
    // Whoever says so acts all the same: the ledger keeps it, and the plan does not count it.
    const early = andAfter(plan, call(3));
    expect([early.seq, effectsOf(early)[1]?.[1]]).toEqual([plan.seq, 3]);
  });

  it("is gone on with by the next attempt, and told also after the plan's end", () => {
    const failed = after(submitted([react]), call(1), faltered("a"), timerFired("retry-a-0-2"));
    expect(begunCall(stepOf(failed, "a"))).toMatchObject({ turn: 1, attempt: 1 });
    expect(effectsOf(andAfter(failed, turn(1, 2)))).toEqual([["p1/a/0/1", 1, "files.write", "done", 2]]);
    const cancelled = after(submitted([react]), call(1), cancelRequested());
    const told = andAfter(cancelled, turn(1));
    expect(effectsOf(told).map((effect) => effect[3])).toEqual(["done"]);
    expect([told.seq, stepOf(told, "a").turns]).toEqual([cancelled.seq, undefined]);
  });
});
