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
])("takes a sub-plan of %s", (_, args) => {
  expect(faults([echo("a"), hand(args)])).toEqual([]);
});

it("wants a goal or a plan", () => {
  expect(faults([hand({})])).toContainEqual(["invalid_arguments", "sub", "args"]);
});

it("says of arguments that are none what they should be, and nothing of a plan in them", () => {
  expect(faults([{ id: "sub", tool: PLAN_RUN, args: 1 }])).not.toContainEqual(
    expect.arrayContaining(["invalid_sub_plan"]),
  );
});

it("says what is wrong with the plan inside, of which step, and where it is", () => {
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

it("lets sub-plans stand so many levels below the plan that is submitted, and no more", () => {
  const nested = (levels: number): object =>
    levels === 0 ? echo("leaf") : hand({ plan: { steps: [nested(levels - 1)] } }, `l${levels}`);
  expect(faults([nested(LIMITS.subPlanDepthMax)])).toEqual([]);
  expect(faults([nested(LIMITS.subPlanDepthMax + 1)])).toHaveLength(1);
  const rules = { tools, depth: LIMITS.subPlanDepthMax };
  expect(checkPlan({ steps: [hand({ goal: "deeper" })] }, rules).issues).toMatchObject([
    { code: "sub_plan_too_deep", stepId: "sub", field: "tool" },
  ]);
});
