// Lists that are reported wrongly, and lists whose plan ends before all items are done.
import { expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  expanded,
  failed,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import { evolve } from "../evolve.ts";

const each = step("a", [], { forEach: ["x", "y", "z"], args: { value: { $ref: "item" } } });

it("ignores a reported length that differs from the list's", () => {
  const plan = after(submitted([each, step("b")]));
  expect(evolve(plan, expanded("a", 2))).toBe(plan);
  expect(evolve(plan, expanded("b", 1))).toBe(plan);
  expect(evolve(plan, expanded("nobody", 1))).toBe(plan);
  const right = andAfter(plan, expanded("a", 3));
  expect(stepOf(right, "a").state).toMatchObject({ status: "repeating", items: 3 });
  expect(evolve(right, expanded("a", 3))).toBe(right);
});

it("keeps a repeated step's results at the end of the plan, with the reasons why the others are missing", () => {
  const begun = after(
    submitted([each]),
    expanded("a", 3),
    succeeded("a", "X"),
    failed("a", 1, { item: 1 }),
    cancelRequested("enough"),
  );
  expect(stepOf(begun, "a").state).toMatchObject({
    status: "succeeded",
    failedItems: 2,
    output: {
      value: [
        "X",
        { error: { code: "e", message: "boom" } },
        { error: { code: "cancelled", message: expect.stringContaining("enough") } },
      ],
    },
  });
  const none = after(submitted([each]), expanded("a", 3), cancelRequested());
  expect(stepOf(none, "a").state.status).toBe("cancelled");
});
