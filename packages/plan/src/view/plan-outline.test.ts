import { describe, expect, it } from "vitest";
import { after, answerGiven, planEnded, step, submittedPlan, succeeded } from "../../test/facts.ts";
import { outlineOf, PlanOutline } from "./plan-outline.ts";

const PLAN = { steps: [step("a")] };

describe("the outline of a plan", () => {
  it("has no outcome while the plan is open", () => {
    const outline = outlineOf(after(submittedPlan(PLAN, { metadata: { team: "x" } })));
    expect(outline).toMatchObject({
      goal: "add up",
      tenant: "local",
      metadata: { team: "x" },
      done: 0,
      total: 1,
      strategy: "submitted",
    });
    expect(Object.keys(outline)).not.toContain("outcome");
    expect(Object.keys(outline)).not.toContain("endedAt");
  });

  it("round-trips through JSON once the plan has ended", () => {
    const outline = outlineOf(
      after(submittedPlan(PLAN), succeeded("a"), answerGiven(undefined), planEnded()),
    );
    expect(outline).toMatchObject({ status: "succeeded", outcome: "succeeded", percent: 100, seq: 4 });
    expect(PlanOutline.parse(JSON.parse(JSON.stringify(outline)))).toEqual(outline);
  });
});
