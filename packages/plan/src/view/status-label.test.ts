import { describe, expect, it } from "vitest";
import { isRefusal, statusLabel } from "./status-label.ts";
import { strategyName } from "../language/strategy-name.ts";

describe("the label of a plan's status", () => {
  it.each([
    ["partial", undefined, "partially succeeded"],
    ["awaiting-approval", undefined, "waiting for approval"],
    ["succeeded", "no_match", "succeeded: nothing found"],
    ["succeeded", "unsupported_intent", "refused: not supported"],
    ["succeeded", "success", "succeeded"],
    ["succeeded", undefined, "succeeded"],
    ["failed", "no_match", "failed"],
    ["hibernating", undefined, "hibernating"],
  ])("is, for %s with the answer %s, %j", (status, answer, label) => {
    expect(statusLabel(status, answer)).toBe(label);
  });
});

describe("a plan is a refusal", () => {
  it.each([
    ["succeeded", "unsupported_intent", true],
    ["succeeded", "invalid_request", true],
    ["succeeded", "no_match", false],
    ["succeeded", undefined, false],
    ["failed", "invalid_request", false],
  ])("if it %s with the answer %s: %s", (status, answer, isOne) => {
    expect(isRefusal(status, answer)).toBe(isOne);
  });
});

it("calls a submitted plan's strategy a predefined plan, and every other strategy by its name", () => {
  expect(strategyName("submitted")).toBe("predefined plan");
  expect(strategyName("parallel")).toBe("parallel");
});
