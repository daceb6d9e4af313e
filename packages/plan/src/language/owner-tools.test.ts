import { expect, it } from "vitest";
import { OWNER_TOOLS, SubPlanRequest } from "./owner-tools.ts";

it("a sub-plan is asked for by a goal, a plan, or both", () => {
  const plan = { steps: [] };
  for (const request of [{ goal: "a" }, { plan }, { goal: "a", plan }]) {
    expect(SubPlanRequest.parse(request)).toEqual(request);
  }
  expect(SubPlanRequest.safeParse({}).error?.issues).toMatchObject([
    { message: "wanted a goal, a plan or both" },
  ]);
  expect(SubPlanRequest.safeParse({ goal: " " }).success).toBe(false);
});

it("the dispatcher's own tools occupy no worker: they share one pool that no worker serves", () => {
  expect(new Set(OWNER_TOOLS.map(({ pool }) => pool)).size).toBe(1);
});
