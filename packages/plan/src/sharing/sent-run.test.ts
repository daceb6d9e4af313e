import { expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  expanded,
  fact,
  failed,
  pauseRequested,
  started,
  step,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import {
  decideRun,
  hasRunBegun,
  isRunOpen,
  isRunWanted,
  type RunCommand,
  type SentRun,
  sentRun,
} from "./sent-run.ts";

const isRun = (command: { readonly kind: string }): command is RunCommand => command.kind === "run";
/** The stored form of the first message that the plan's last event requires. */
function firstOf(plan: KnownPlan): SentRun {
  const [command] = decideNext(plan).filter(isRun);
  if (command === undefined) throw new Error("nothing is sent");
  return sentRun(command);
}
const about = (plan: KnownPlan, run: SentRun) => ({
  wanted: isRunWanted(plan, run),
  open: isRunOpen(plan, run),
  begun: hasRunBegun(plan, run),
  decided: decideRun(plan, run).map((command) => (command.kind === "run" ? command.id : command.kind)),
});
const write = (id: string, more: object = {}) => step(id, [], { tool: "files.write", ...more });

it("is wanted until its attempt is over, and is decided again unchanged", () => {
  const plan = after(submitted([step("a"), step("b", ["a"])]));
  const run = firstOf(plan);
  expect(about(plan, run)).toEqual({ wanted: true, open: true, begun: false, decided: ["p1/a/0/1"] });
  expect(about(andAfter(plan, started("a")), run)).toMatchObject({ wanted: true, open: true, begun: true });
  const over = { wanted: false, open: false, begun: false, decided: [] };
  expect(about(andAfter(plan, succeeded("a")), run)).toEqual(over);
  expect(about(andAfter(plan, failed("a")), run)).toEqual(over);
});

it("belongs to an item if its step runs for each item of a list", () => {
  const list = { forEach: { $ref: "find.output.names" }, args: { value: "{{item}}" } };
  const plan = after(
    submitted([step("find"), step("look", [], list)]),
    succeeded("find", { names: ["x", "y"] }),
  );
  const found = andAfter(plan, expanded("look", 2));
  expect(about(found, firstOf(found))).toMatchObject({ wanted: true, decided: ["p1/look/0/1"] });
});

it("is replaced by another message when a paused plan resumes, if it has an effect", () => {
  const plan = after(submitted([write("a")]));
  const run = firstOf(plan);
  expect(about(andAfter(plan, pauseRequested()), run)).toMatchObject({ wanted: false, open: false });
});

it("is open while its worker is asked to stop, although it is no longer wanted", () => {
  const undo = { tool: "files.write", args: { path: "a.undone" } };
  const plan = after(submitted([write("a", { compensate: undo })]));
  const run = firstOf(plan);
  const stopping = andAfter(plan, started("a"), cancelRequested());
  expect(about(stopping, run)).toMatchObject({ wanted: false, open: true, begun: false });
  expect(about(andAfter(stopping, failed("a")), run)).toMatchObject({ open: false });
});

it("belongs to a compensation until that is over", () => {
  const undo = { tool: "files.write", args: { path: "a.undone" } };
  const broken = after(
    submitted([write("a", { compensate: undo }), step("c")]),
    succeeded("a"),
    failed("c"),
    answerGiven(1, { status: "failed" }),
  );
  const run = firstOf(broken);
  expect(about(broken, run)).toEqual({ wanted: true, open: true, begun: false, decided: ["p1/a/undo/1"] });
  const done = succeeded("a");
  const undone = andAfter(broken, fact(done.type, { ...done.data, undo: true }, { id: "undone" }));
  expect(about(undone, run)).toMatchObject({ wanted: false, open: false, decided: [] });
});
