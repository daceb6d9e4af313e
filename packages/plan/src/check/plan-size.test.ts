// `planSize`: the number of steps that a submission requests.
import { describe, expect, it } from "vitest";
import { Submission } from "../language/submission.ts";
import { LIMITS } from "../values/limits.ts";
import { sizeIssueOf } from "./plan-size.ts";

describe("planSize of a submission", () => {
  const read = (planSize: unknown) => Submission.safeParse({ goal: "g", planSize });

  it.each([{ min: 3 }, { max: 12 }, { min: 3, max: 12 }, { min: 5, max: 5 }])("can be %j", (planSize) => {
    expect(read(planSize).data?.planSize).toEqual(planSize);
  });

  it.each([
    [{ min: 12, max: 3 }, "planSize.min", 'min must not be greater than max, got {"min":12,"max":3}'],
    [{ min: 0 }, "planSize.min", ">=1"],
    [{ max: 1.5 }, "planSize.max", "int"],
    [{ max: LIMITS.stepsMax + 1 }, "planSize.max", `<=${LIMITS.stepsMax}`],
    [{ most: 3 }, "planSize", '"most"'],
  ])("is refused as %j, naming the field", (planSize, field, message) => {
    const issues = read(planSize).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join("."))).toEqual([field]);
    expect(issues[0]?.message).toContain(message);
  });
});

describe("the size of a draft", () => {
  it.each([
    [3, { min: 3, max: 12 }],
    [12, { min: 3, max: 12 }],
    [1, { max: 12 }],
    [900, { min: 3 }],
    [1, {}],
  ])("has no issue: %d steps for %j", (steps, size) => {
    expect(sizeIssueOf(steps, size)).toBeUndefined();
  });

  it.each([
    [2, { min: 3, max: 12 }, "too_few_steps", "wanted 3 to 12 steps (planSize), got 2"],
    [13, { min: 3, max: 12 }, "too_many_steps", "wanted 3 to 12 steps (planSize), got 13"],
    [2, { min: 3 }, "too_few_steps", "wanted at least 3 steps (planSize), got 2"],
    [13, { max: 12 }, "too_many_steps", "wanted at most 12 steps (planSize), got 13"],
    [4, { min: 5, max: 5 }, "too_few_steps", "wanted exactly 5 steps (planSize), got 4"],
  ])("has an issue that states the required size: %d steps for %j", (steps, size, code, message) => {
    expect(sizeIssueOf(steps, size)).toEqual({ code, field: "steps", message });
  });
});
