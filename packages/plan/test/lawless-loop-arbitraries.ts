/** Events of steps that work in a loop, in any order. */
import fc from "fast-check";
import { attempt, data, id, small } from "./lawless-data.ts";

/** Most turns have one call. */
const call = fc.constantFrom(undefined, undefined, 1, 2, 3);
const error = { code: "e", message: "m" };

export const lawlessLoopFacts = [
  data("step.asked", {
    stepId: id,
    item: fc.constantFrom(0, 0, 1),
    attempt,
    workerId: fc.constant("w"),
    startedAt: fc.constant("2026-01-01T00:00:00Z"),
    durationMs: fc.constant(1),
    call: fc.constantFrom({}, { doubt: "its worker died" }, { call: 2 }).map((more) => ({
      turn: 1,
      thought: "hm",
      tool: "mail.send",
      args: { to: "a" },
      risk: "high",
      ...more,
    })),
  }),
  data("turn.started", {
    stepId: id,
    item: fc.constantFrom(0, 0, 1),
    attempt,
    turn: small,
    thought: fc.constant("hm"),
    calls: fc.array(fc.constantFrom({ tool: "files.write", args: {} }, { error }), {
      minLength: 2,
      maxLength: 3,
    }),
  }),
  data("call.started", {
    stepId: id,
    item: fc.constantFrom(0, 0, 1),
    attempt,
    turn: small,
    call,
    thought: fc.constant("hm"),
    tool: fc.constant("files.write"),
    args: fc.constant({}),
    effect: fc.constantFrom("idempotent", "once"),
    leave: fc.constantFrom(undefined, undefined, "call-a-0-1-1"),
    workerId: fc.constant("w"),
  }),
  data("turn.taken", {
    stepId: id,
    item: fc.constantFrom(0, 0, 1),
    attempt,
    turn: small,
    call,
    thought: fc.constant("hm"),
    output: fc.constantFrom({ value: 1 }, undefined),
    uncertain: fc.constantFrom(true, undefined),
  }),
];
