// A program's calls over several attempts of its step.
import type { Json, StepOutput } from "@planwright/plan";
import { expect, it } from "vitest";
import { isSameCall, refuseOther } from "../steps/pending-call.ts";
import type { AskedTurn, NewTurn, ToolDesk } from "../tools/define-tool.ts";
import { replayCalls } from "./code-run.ts";

const at = (turn: number, tool: string, args: object, more: object = {}): NewTurn => ({
  turn,
  thought: "",
  tool,
  args: args as NewTurn["args"] & object,
  output: { value: turn },
  ...more,
});

/** A desk over a log of turns; `made` holds the calls that were made. */
function deskOver(log: NewTurn[], pending?: NewTurn) {
  const made: AskedTurn[] = [];
  let left = pending;
  const desk: ToolDesk = {
    specs: () => Promise.reject(new Error("not asked")),
    began: () => Promise.reject(new Error("not asked")),
    recorded: async () => ({ turns: log.map((turn) => ({ ...turn, attempt: 1, at: "" })) }),
    runsAlone: () => Promise.reject(new Error("not asked")),
    begin: () => Promise.reject(new Error("not asked")),
    call: async (asked) => {
      made.push(asked);
      return at(asked.turn, asked.tool, asked.args);
    },
    goOn: async (expected) => {
      const turn = left;
      left = undefined;
      if (turn !== undefined && expected !== undefined) refuseOther(turn, expected);
      return turn;
    },
    record: async (turn) => {
      if (log.length >= turn.turn) return false;
      log.push(turn);
      return true;
    },
    read: async (output: StepOutput): Promise<Json> =>
      "value" in output ? output.value : output.artifact.name,
  };
  return { desk, made, log };
}

it("makes only calls that the log does not have, and answers the rest from it", async () => {
  const { desk, made, log } = deskOver([at(1, "a.b", { n: 1 }, { output: { value: "then" } })]);
  const calls = await replayCalls(desk);
  expect(await calls.call("a.b", { n: 1 })).toEqual({ output: "then" });
  expect(await calls.call("a.b", { n: 2 })).toEqual({ output: 2 });
  expect(await calls.call("a.b", { n: 2 })).toEqual({ output: 3 });
  calls.end();
  expect(made.map(({ turn }) => turn)).toEqual([2, 3]);
  expect(log).toHaveLength(3);
});

it("returns a failed call as a failure", async () => {
  const error = { code: "no", message: "not today" };
  const calls = await replayCalls(deskOver([at(1, "a.b", {}, { output: undefined, error })]).desk);
  expect(await calls.call("a.b", {})).toEqual({ error });
});

it.each([
  ["a.c", { n: 1 }],
  ["a.b", { n: 2 }],
  ["a.b", {}],
])("rejects %s %j where the log has another call", async (tool, args) => {
  const calls = await replayCalls(deskOver([at(1, "a.b", { n: 1 })]).desk);
  await expect(calls.call(tool, args)).rejects.toMatchObject({
    name: "PermanentError",
    code: "replay_diverged",
    message: expect.stringContaining('call 1 was a.b {"n":1}'),
  });
});

it("rejects a program that ends before the log does", async () => {
  const calls = await replayCalls(deskOver([at(1, "a.b", {})]).desk);
  expect(() => calls.end()).toThrow(/ended after 0 calls, but made 1 before/);
});

it("recognises a call whose arguments a user has changed", async () => {
  const edited = at(1, "a.b", { to: "eve" }, { proposed: { to: "bob" }, output: { value: "sent" } });
  const { desk, made } = deskOver([edited]);
  expect(await (await replayCalls(desk)).call("a.b", { to: "bob" })).toEqual({ output: "sent" });
  expect([isSameCall(edited, { tool: "a.b", args: { to: "eve" } }), made]).toEqual([false, []]);
});

it("continues calls that were started, and only those", async () => {
  const begun = at(2, "a.b", { n: 2 }, { output: { value: "settled" } });
  const { desk, made, log } = deskOver([at(1, "a.b", { n: 1 })], begun);
  const calls = await replayCalls(desk);
  await calls.call("a.b", { n: 1 });
  expect(await calls.call("a.b", { n: 2 })).toEqual({ output: "settled" });
  expect([made, log.at(-1)]).toEqual([[], begun]);
  const other = await replayCalls(deskOver([], at(1, "a.b", {})).desk);
  await expect(other.call("a.c", {})).rejects.toMatchObject({ code: "replay_diverged" });
});

it("returns the result of a faster worker", async () => {
  const { desk, log } = deskOver([]);
  const calls = await replayCalls(desk);
  log.push(at(1, "a.b", {}, { output: { value: "theirs" } }));
  expect(await calls.call("a.b", {})).toEqual({ output: "theirs" });
});

it("does not repeat a call that may have taken effect", async () => {
  const error = { code: "outcome_unknown", message: "nobody knows" };
  const lost = at(1, "a.b", { n: 1 }, { output: undefined, error, uncertain: true });
  const { desk, made } = deskOver([lost]);
  const calls = await replayCalls(desk);
  expect(await calls.call("a.b", { n: 1 })).toEqual({ error });
  expect(await calls.call("a.b", { n: 1 })).toMatchObject({ error: { code: "repeated_call" } });
  expect(await calls.call("a.b", { n: 2 })).toEqual({ output: 3 });
  expect(made).toHaveLength(1);
});
