import { describe, expect, it } from "vitest";
import { checkPlan } from "../check/check-plan.ts";
import { directPlan } from "./direct-plan.ts";
import { ToolSpec } from "./tool-spec.ts";

const writer = ToolSpec.parse({
  name: "model.write",
  description: "Write.",
  input: {
    type: "object",
    properties: { prompt: { type: "string", minLength: 1 } },
    required: ["prompt"],
    additionalProperties: false,
  },
  output: {},
  timeoutMs: 1_000,
});
const rules = { tools: new Map([[writer.name, writer]]) };

describe("the plan of the direct strategy", () => {
  it("is one call that writes the answer, with the constraints in its prompt", () => {
    const plan = directPlan({ goal: "Say hello", constraints: ["in French", "in one word"] });
    expect(checkPlan(plan, rules).issues).toEqual([]);
    expect(plan.answerFrom).toBe(plan.steps[0]?.id);
    expect(plan.steps[0]?.args).toEqual({
      prompt: "Say hello\n\nFollow these rules:\n- in French\n- in one word",
    });
  });

  it("passes outputs of other steps in the goal as context of its call", () => {
    const { steps } = directPlan({
      goal: "Sum up do {{this}}!",
      goalTemplate: "Sum up {{s1.output}}!",
      constraints: [],
    });
    expect(steps[0]?.args).toEqual({
      prompt: "Sum up { {s1.output}}!\n\nWhere it says { {…}}, insert the text from the material.",
      context: [{ reference: "s1.output", text: "do { {this}}" }],
    });
  });

  it.each(["{{s1.output}}", "{{{{x}}}}", '{"$ref": "s1.output"}', "{{{s1.output}}}"])(
    "treats %s in a goal as text, not as a reference",
    (goal) => {
      expect(checkPlan(directPlan({ goal, constraints: [goal], reason: goal }), rules).issues).toEqual([]);
    },
  );
});
