// Steps with a condition: "s1" decides, "big" and "small" are the two branches, and "end" takes the output of either.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  decideNext,
  failed,
  kindsOf,
  recorded,
  step,
  stepOf,
  submitted,
  succeeded,
  worksOf,
} from "../../../test/facts.ts";
import { owed } from "../../decide/owed.ts";
import { dependenciesOf } from "../../language/dependencies.ts";
import { Step } from "../../language/plan-language.ts";
import { viewOf } from "../../view/plan-view.ts";

const FORK = [
  step("s1"),
  step("big", [], { when: "s1.output.total > 100" }),
  step("small", [], { when: "not s1.output.total > 100" }),
  step("end", [], { args: { value: "{{big.output.x}}/{{small.output.x}}" } }),
];

describe("a step with a condition", () => {
  it("waits for the steps that its condition refers to", () => {
    const when = "a.output.x > 1 and b.output contains 'c.output'";
    expect(dependenciesOf(Step.parse(step("s", [], { when })))).toEqual(["a", "b"]);
  });

  it("runs when its condition is true, and is skipped when it is false", () => {
    const plan = after(submitted(FORK), succeeded("s1", { total: 120 }));
    expect(worksOf(plan).map(({ stepId }) => stepId)).toEqual(["big"]);
    expect(decideNext(plan)).toContainEqual(
      expect.objectContaining({
        event: {
          id: "p1/pass/small/0",
          type: "step.skipped",
          planId: "p1",
          data: {
            stepIds: ["small"],
            because: "small",
            reason: "its condition does not hold: not s1.output.total > 100",
            passedOver: true,
          },
        },
      }),
    );
  });

  it("lets its dependents continue without its output when it was skipped", () => {
    const plan = andAfter(
      recorded(after(submitted(FORK), succeeded("s1", { total: 1 }))),
      succeeded("small", { x: 7 }),
    );
    expect(worksOf(plan)).toMatchObject([{ stepId: "end", args: { value: "/7" } }]);
    const ended = andAfter(plan, succeeded("end", "done"));
    expect(ended.conclusion).toMatchObject({
      outcome: "succeeded",
      answer: { text: "done", status: "success" },
    });
    expect(viewOf(ended, 0).steps.find(({ id }) => id === "big")).toMatchObject({
      status: "skipped",
      notNeeded: true,
    });
  });

  it("is skipped when all its dependencies were skipped because they were not needed", () => {
    const chain = [
      step("s1"),
      step("if", [], { when: "s1.output" }),
      step("then", ["if"]),
      step("end", ["then", "s1"]),
    ];
    const plan = recorded(after(submitted(chain), succeeded("s1", false)));
    expect(stepOf(plan, "then").state).toEqual({
      status: "skipped",
      because: "if",
      reason: "needs if, which did not have to run",
      passedOver: true,
    });
    expect(stepOf(plan, "end").state.status).toBe("running");
  });

  it("can run because another step was skipped", () => {
    const steps = [
      step("s1"),
      step("a", [], { when: "s1.output" }),
      step("b", [], { when: "a.output == null" }),
    ];
    expect(stepOf(recorded(after(submitted(steps), succeeded("s1", false))), "b").state.status).toBe(
      "running",
    );
  });

  it("cannot run when its dependencies fail, and neither can its dependents", () => {
    const plan = recorded(after(submitted(FORK), failed("s1")));
    for (const id of ["big", "small", "end"]) {
      expect(stepOf(plan, id).state).toMatchObject({ status: "skipped", because: "s1" });
      expect(stepOf(plan, id).state).not.toHaveProperty("passedOver");
    }
  });

  it("fails when its condition cannot be evaluated", () => {
    const artifact = { artifact: { name: "a", contentType: "text/plain", bytes: 70_000 }, preview: "…" };
    const big = succeeded("s1", 1, 1);
    const files = [
      { ...big, data: { ...big.data, output: artifact } } as typeof big,
      succeeded("s1", { total: "x" }),
    ];
    for (const success of files) {
      const plan = recorded(after(submitted(FORK), success));
      expect(stepOf(plan, "big").state).toMatchObject({
        status: "failed",
        error: { code: "condition_unclear" },
      });
      expect(stepOf(plan, "end").state).toMatchObject({ status: "skipped" });
    }
  });

  it("is decided again when another dispatcher takes over the plan", () => {
    const plan = after(submitted(FORK), succeeded("s1", { total: 1 }));
    expect(kindsOf(plan, owed(plan)).sort()).toEqual(["run", "step.skipped"]);
  });

  it("can use the length of a list in its condition, and reads a missing value as null", () => {
    const when =
      "s1.output.items.length == 2 and s1.output.more.than.that == null and s1.output.length == null";
    const plan = after(submitted([step("s1"), step("s2", [], { when })]), succeeded("s1", { items: [1, 2] }));
    expect(stepOf(plan, "s2").state.status).toBe("running");
  });
});
