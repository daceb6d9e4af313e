import { expect, it } from "vitest";
import { LIMITS } from "../values/limits.ts";
import { OWNER_TOOLS } from "../language/owner-tools.ts";
import { ECHO } from "../testing/echo-spec.ts";
import { echo } from "../testing/steps.ts";
import { checkPlan } from "./check-plan.ts";
import { PLAN_RUN } from "../language/tool-names.ts";

const tools = new Map([...OWNER_TOOLS, ECHO].map((spec) => [spec.name, spec]));

const hand = (args: object, id = "sub") => ({ id, tool: PLAN_RUN, args });
const faults = (steps: object[]) =>
  checkPlan({ steps }, { tools }).issues.map(({ code, stepId, field }) => [code, stepId, field]);

it.each<[string, object]>([
  ["a goal", { goal: "find out" }],
  ["a plan", { plan: { steps: [echo("a")] } }],
  ["a plan that comes out of another step", { plan: { $ref: "a.output.plan" } }],
])("accepts a sub-plan of %s", (_, args) => {
  expect(faults([echo("a"), hand(args)])).toEqual([]);
});

it("requires a goal or a plan", () => {
  expect(faults([hand({})])).toContainEqual(["invalid_arguments", "sub", "args"]);
});

it("reports invalid arguments as such, and no plan in them", () => {
  expect(faults([{ id: "sub", tool: PLAN_RUN, args: 1 }])).not.toContainEqual(
    expect.arrayContaining(["invalid_sub_plan"]),
  );
});

it("reports faults of the inner plan with their step and location", () => {
  const { issues } = checkPlan(
    { steps: [hand({ plan: { steps: [{ ...echo("a"), tool: "flow.ecko" }] } })] },
    { tools },
  );
  expect(issues).toMatchObject([
    {
      code: "invalid_sub_plan",
      stepId: "sub",
      field: "args.plan.tool",
      message: expect.stringMatching(/^step a: .*flow\.echo/s),
    },
  ]);
  expect(faults([hand({ plan: {} })])).toEqual([
    ["invalid_sub_plan", "sub", expect.stringMatching(/^args\.plan/)],
  ]);
});

it("allows sub-plans up to the nesting limit below the submitted plan", () => {
  const nested = (levels: number): object =>
    levels === 0 ? echo("leaf") : hand({ plan: { steps: [nested(levels - 1)] } }, `l${levels}`);
  expect(faults([nested(LIMITS.subPlanDepthMax)])).toEqual([]);
  expect(faults([nested(LIMITS.subPlanDepthMax + 1)])).toHaveLength(1);
  const rules = { tools, depth: LIMITS.subPlanDepthMax };
  expect(checkPlan({ steps: [hand({ goal: "deeper" })] }, rules).issues).toMatchObject([
    { code: "sub_plan_too_deep", stepId: "sub", field: "tool" },
  ]);
});
