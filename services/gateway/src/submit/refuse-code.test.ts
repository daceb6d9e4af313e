import { expect, it } from "vitest";
import { refuseCodeWithoutModel } from "./refuse-code.ts";

const DEMO = "planwright-offline";

it("refuses the strategy code while the demo model plans, with the field and the setting", () => {
  const refuse = () => refuseCodeWithoutModel({ strategy: "code" }, { plannerModel: DEMO, hasPlan: false });
  expect(refuse).toThrow(
    expect.objectContaining({
      code: "model_needed",
      details: { issues: [{ field: "strategy", message: expect.stringContaining("OPENAI_API_KEY") }] },
    }),
  );
});

it.each([
  ["another strategy", "parallel", DEMO, false],
  ["a language model", "code", "gpt-5", false],
  ["a submitted plan", "code", DEMO, true],
])("accepts %s", (_, strategy, plannerModel, hasPlan) => {
  expect(() => refuseCodeWithoutModel({ strategy }, { plannerModel, hasPlan })).not.toThrow();
});
