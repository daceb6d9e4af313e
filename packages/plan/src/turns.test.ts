// Turns of a step: facts that whoever goes on with it finds, and what a step may ask for at its end.
import { expect, it } from "vitest";
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
