import { expect, it } from "vitest";
import { OWNER_TOOLS, SubPlanRequest } from "./owner-tools.ts";

it("requires a goal, a plan, or both for a sub-plan", () => {
  const plan = { steps: [] };
  for (const request of [{ goal: "a" }, { plan }, { goal: "a", plan }]) {
    expect(SubPlanRequest.parse(request)).toEqual(request);
  }
  expect(SubPlanRequest.safeParse({}).error?.issues).toMatchObject([
    { message: "wanted a goal, a plan or both" },
  ]);
  expect(SubPlanRequest.safeParse({ goal: " " }).success).toBe(false);
});

it("puts the dispatcher's own tools into one pool that no worker serves", () => {
  expect(new Set(OWNER_TOOLS.map(({ pool }) => pool)).size).toBe(1);
});
