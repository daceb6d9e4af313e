// Turns of a step: the next attempt continues from these events, and a step can request a revision at its end.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  decideNext,
  fact,
  faltered,
  kindsOf,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../../test/facts.ts";
import { propertyRuns } from "../../../test/property-runs.ts";
import { EffectView } from "../../view/effect-view.ts";
import { PlanView, viewOf } from "../../view/plan-view.ts";
import { begunCall } from "./call-ledger.ts";
import { callsToMake, missingCalls } from "./loop-calls.ts";
import type { KnownPlan } from "../plan-state.ts";

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

it("keeps the turns of a step in order, each once", () => {
  const plan = after(submitted([react]), turn(1), turn(2));
  expect(viewOf(plan, 0).steps[0]?.turns).toMatchObject([
    { turn: 1, output: { value: 1 } },
    { turn: 2, thought: "t2" },
  ]);
  for (const late of [turn(1), turn(2), turn(4), turn(3, 2)]) expect(andAfter(plan, late)).toBe(plan);
});

it("continues after the last turn when the step is retried", () => {
  const failed = after(submitted([react]), turn(1), faltered("a"));
  const again = andAfter(failed, timerFired("retry-a-0-2"), turn(2, 2));
  expect(stepOf(again, "a").turns?.map(({ turn: number, attempt }) => [number, attempt])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

it("ignores a turn of a step that has ended or is not needed any more", () => {
  const done = after(submitted([react, { id: "b", tool: "flow.echo" }]), succeeded("a"));
  expect(andAfter(done, turn(1))).toBe(done);
  const cancelled = after(submitted([react]), cancelRequested());
  expect(andAfter(cancelled, turn(1))).toBe(cancelled);
});

it("revises a plan once when a step finds that the plan has to change", () => {
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

describe("a call with an effect", () => {
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

  it("is in the effect ledger under its own key, from its start to its end", () => {
    const begun = after(submitted([react]), turn(1), call(2));
    expect(effectsOf(begun)).toEqual([["p1/a/0/2", 2, "files.write", "started", 1]]);
    expect(begunCall(stepOf(begun, "a"))).toMatchObject({ turn: 2, args: { path: "a" } });
    const done = andAfter(begun, turn(2));
    expect(effectsOf(done)).toEqual([["p1/a/0/2", 2, "files.write", "done", 1]]);
    expect(begunCall(stepOf(done, "a"))).toBeUndefined();
  });

  it("is in the effect ledger without its arguments, even if a user has changed them", () => {
    const plan = after(submitted([react]), call(1, 1, { proposed: { path: "b" } }));
    const [effect] = viewOf(plan, 0).effects;
    expect(Object.keys(effect ?? {}).toSorted()).toEqual(Object.keys(EffectView.parse(effect)).toSorted());
  });

  it.each([
    [{ output: undefined, error: { code: "e", message: "m" } }, "failed"],
    [{ output: undefined, error: { code: "outcome_unknown", message: "m" }, uncertain: true }, "unknown"],
  ])("has its end %j recorded as %s", (end, status) => {
    const plan = after(submitted([react]), call(1), turn(1, 1, end));
    expect(effectsOf(plan).map((effect) => effect[3])).toEqual([status]);
  });

  it("starts once in a turn, in the running attempt, and never again", () => {
    const plan = after(submitted([react]), call(1));
    for (const late of [call(1), call(1, 1, { tool: "mail.send" })]) expect(andAfter(plan, late)).toBe(plan);
    // The worker that reports such a call makes it anyway: the effect ledger records it, and the plan ignores it.
    const early = andAfter(plan, call(3));
    expect([early.seq, effectsOf(early)[1]?.[1]]).toEqual([plan.seq, 3]);
  });

  it("is continued by the next attempt, and its outcome is recorded even after the plan's end", () => {
    const failed = after(submitted([react]), call(1), faltered("a"), timerFired("retry-a-0-2"));
    expect(begunCall(stepOf(failed, "a"))).toMatchObject({ turn: 1, attempt: 1 });
    expect(effectsOf(andAfter(failed, turn(1, 2)))).toEqual([["p1/a/0/1", 1, "files.write", "done", 2]]);
    const cancelled = after(submitted([react]), call(1), cancelRequested());
    const told = andAfter(cancelled, turn(1));
    expect(effectsOf(told).map((effect) => effect[3])).toEqual(["done"]);
    expect([told.seq, stepOf(told, "a").turns]).toEqual([cancelled.seq, undefined]);
  });
});

describe("a turn of several calls", () => {
  const error = { code: "unknown_tool", message: "there is no tool a" };
  const begins = (
    number: number,
    attempt = 1,
    calls: object[] = [read, { ...read, args: { n: 2 } }, write],
  ) => fact("turn.started", { stepId: "a", item: 0, attempt, turn: number, thought: `t${number}`, calls });
  const read = { tool: "flow.echo", args: { n: 1 } };
  const write = { tool: "files.write", args: { path: "a" } };
  const over = (number: number, call: number, more: object = {}) =>
    turn(number, 1, { call, output: { value: `${number}_${call}` }, ...more });
  const acts = (number: number, call: number, attempt = 1) =>
    fact("call.started", {
      stepId: "a",
      item: 0,
      attempt,
      turn: number,
      call,
      thought: "so",
      ...write,
      effect: "once",
      workerId: "w1",
    });
  const callsOf = (plan: KnownPlan) => stepOf(plan, "a").turns?.map(({ turn: one, call }) => [one, call]);

  it("keeps the outcomes in the order of the calls, in whatever order they arrive, each once (TURN-2, TURN-4)", () => {
    const plan = after(submitted([react]), turn(1), begins(2), over(2, 2), over(2, 1));
    expect(callsOf(plan)).toEqual([
      [1, undefined],
      [2, 1],
      [2, 2],
    ]);
    for (const late of [over(2, 2), over(2, 1, { output: { value: "other" } }), over(2, 4), over(1, 1)])
      expect(andAfter(plan, late)).toBe(plan);
    expect(missingCalls(stepOf(plan, "a"))).toEqual([{ turn: 2, call: 3, thought: "t2", ...write }]);
  });

  it("starts no other turn before all its calls are over (TURN-5)", () => {
    const plan = after(submitted([react]), begins(1), over(1, 1), over(1, 3));
    for (const other of [turn(1), turn(2), begins(1), begins(2)]) expect(andAfter(plan, other)).toBe(plan);
    const done = andAfter(plan, over(1, 2));
    expect([stepOf(done, "a").openTurn, missingCalls(stepOf(done, "a"))]).toEqual([undefined, []]);
    expect(callsOf(andAfter(done, turn(2)))?.at(-1)).toEqual([2, undefined]);
    expect(andAfter(done, begins(3))).toBe(done);
  });

  it("does not start after its outcome was recorded, nor in a step that has ended", () => {
    const taken = after(submitted([react]), turn(1));
    expect(andAfter(taken, begins(1))).toBe(taken);
    expect(andAfter(taken, over(1, 1))).toBe(taken);
    const done = after(submitted([react, { id: "b", tool: "flow.echo" }]), succeeded("a"));
    expect(andAfter(done, begins(1))).toBe(done);
    const unknown = fact("turn.started", { ...begins(1).data, stepId: "z" });
    expect(andAfter(taken, unknown)).toBe(taken);
  });

  it("is continued by the next attempt with the calls that have no outcome", () => {
    const plan = after(
      submitted([react]),
      begins(1),
      over(1, 2),
      faltered("a"),
      timerFired("retry-a-0-2"),
      over(1, 1, { attempt: 2 }),
    );
    expect(missingCalls(stepOf(plan, "a")).map(({ call }) => call)).toEqual([3]);
    expect(stepOf(plan, "a").turns?.map(({ attempt }) => attempt)).toEqual([2, 1]);
  });

  it("shows the pending calls in their position", () => {
    const plan = after(submitted([react]), begins(1, 1, [read, { ...read, error }, write]), over(1, 2));
    expect(PlanView.parse(viewOf(plan, 0)).steps[0]?.turns).toMatchObject([
      { turn: 1, call: 1, thought: "t1", ...read, open: true },
      { turn: 1, call: 2, output: { value: "1_2" } },
      { turn: 1, call: 3, ...write, open: true },
    ]);
    const none = after(submitted([react]), begins(1));
    expect(viewOf(none, 0).steps[0]?.turns).toHaveLength(3);
  });

  it("starts a call with an effect only after the calls before it, under its own key (TURN-3)", () => {
    const reading = after(submitted([react]), begins(1), over(1, 2));
    expect(andAfter(reading, acts(1, 3)).seq).toBe(reading.seq);
    const plan = andAfter(after(submitted([react]), begins(1), over(1, 2), over(1, 1)), acts(1, 3));
    expect(begunCall(stepOf(plan, "a"))).toMatchObject({ turn: 1, call: 3, tool: "files.write" });
    expect(andAfter(plan, acts(1, 3))).toBe(plan);
    expect(viewOf(andAfter(plan, over(1, 3)), 0).effects).toMatchObject([
      { key: "p1/a/0/1_3", turn: 1, call: 3, status: "done" },
    ]);
  });

  it("waits for approval of one of its calls, and keeps the approval until that call is over", () => {
    const call = { turn: 1, call: 3, thought: "so", ...write, risk: "high" };
    const ended = { workerId: "w", startedAt: "2026-01-01T00:00:00Z", durationMs: 1 };
    const asked = fact("step.asked", { stepId: "a", item: 0, attempt: 1, ...ended, call });
    let plan = after(submitted([react]), begins(1), over(1, 1), over(1, 2), asked);
    const [question] = decideNext(plan).flatMap((command) =>
      command.kind === "record" ? [command.event] : [],
    );
    if (question?.type !== "approval.requested") throw new Error("nobody is asked");
    expect(question.data).toMatchObject({
      approvalId: "call-a-0-1_3-1",
      details: { turn: 1, call: 3 },
    });
    plan = andAfter(plan, fact("approval.requested", question.data));
    plan = andAfter(
      plan,
      fact("approval.decided", { approvalId: "call-a-0-1_3-1", decision: "approve", by: "ann" }),
    );
    expect(stepOf(plan, "a")).toMatchObject({ leave: { call: { turn: 1, call: 3 }, args: write.args } });
    expect(callsOf(plan)).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(stepOf(andAfter(plan, over(1, 3, { attempt: 2 })), "a").leave).toBeUndefined();
  });

  it("is ignored beyond the number of outcomes that the log keeps of a loop", () => {
    const many = Array.from({ length: 25 }, (_, index) => [
      begins(index + 1, 1, Array(8).fill(read)),
      ...Array.from({ length: 8 }, (__, place) => over(index + 1, place + 1)),
    ]);
    const full = after(submitted([react]), ...many.flat());
    expect(stepOf(full, "a").turns).toHaveLength(200);
    expect(andAfter(full, turn(26))).toBe(full);
    expect(andAfter(full, begins(26))).toBe(full);
  });
});

describe("the calls that can be made now (TURN-3)", () => {
  const place = fc.array(fc.boolean(), { maxLength: 8 });

  it("are the first missing one, with those that follow until one runs alone", () => {
    const isAlone = (name: string) => name.startsWith("w");
    expect(callsToMake(["r1", "r2", "w3", "r4"], isAlone)).toEqual(["r1", "r2"]);
    expect(callsToMake(["w3", "r4"], isAlone)).toEqual(["w3"]);
    expect(callsToMake(["r4"], isAlone)).toEqual(["r4"]);
    expect(callsToMake([], isAlone)).toEqual([]);
  });

  it("eventually include every call once, whatever is already over and wherever a worker dies", () => {
    fc.assert(
      fc.property(place, fc.array(fc.nat(7)), fc.array(fc.nat(7)), (alone, gone, deaths) => {
        const calls = alone.map((isAlone, index) => ({ index, isAlone }));
        const over = new Set(gone);
        const made: number[] = [];
        for (const death of [...deaths, 0, 0, 0, 0, 0, 0, 0, 0, 0]) {
          const missing = calls.filter(({ index }) => !over.has(index));
          const now = callsToMake(missing, ({ isAlone }) => isAlone);
          const early = now.filter(
            ({ index, isAlone }) => isAlone && calls.slice(0, index).some((call) => !over.has(call.index)),
          );
          const besides = now.some(({ isAlone }) => isAlone) ? now.slice(1) : [];
          expect([early, besides]).toEqual([[], []]);
          // The worker dies after some of them have their outcome, in any order.
          const kept = death === 0 ? now : now.toReversed().slice(0, death);
          for (const { index } of kept) {
            over.add(index);
            made.push(index);
          }
        }
        expect(new Set(made).size).toBe(made.length);
        expect(calls.every(({ index }) => over.has(index))).toBe(true);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
