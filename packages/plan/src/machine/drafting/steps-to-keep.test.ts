import { expect, it } from "vitest";
import { after, failed, step, submitted, succeeded } from "../../../test/facts.ts";
import { StepId } from "../../values/ids.ts";
import { stepsToKeep } from "./steps-to-keep.ts";

const plan = after(
  submitted([step("a"), step("b", ["a"]), step("c", ["a", "b"]), step("d"), step("e", ["d"])]),
  succeeded("a"),
  failed("d"),
);
const ids = (names: readonly string[]) => names.map((name) => StepId.parse(name));

it("keeps the steps that a revision names and their dependencies, each once", () => {
  const steps = new Map(plan.steps);
  expect([...stepsToKeep(steps, ids(["c", "b"]))].toSorted()).toEqual(["a", "b", "c"]);
  expect([...stepsToKeep(steps, ids(["d"]))]).toEqual(["d"]);
});

it("keeps no step that is not in the old plan", () => {
  expect([...stepsToKeep(new Map(plan.steps), ids(["new", "a"]))]).toEqual(["a"]);
});

it("keeps steps together with their fallbacks and verifications", () => {
  const tied = after(
    submitted([
      step("a", [], { fallback: "b" }),
      step("b"),
      step("check", ["rules"], { verifies: "a" }),
      step("rules"),
      step("other"),
    ]),
  );
  const all = ids(["a", "b", "check", "rules"]);
  for (const id of ids(["a", "b", "check"])) {
    expect([...stepsToKeep(new Map(tied.steps), [id])].toSorted()).toEqual(all);
  }
});
