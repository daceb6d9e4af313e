import { expect, it } from "vitest";
import { decidersText } from "./deciders-text.ts";

it.each([
  [{}, undefined],
  [{ submitterMayApprove: false }, "May be approved by anyone but the submitter."],
  [{ approvers: ["acme/boss", "ops"] }, "May be approved by acme/boss, ops."],
  [{ approvers: ["ops"], submitterMayApprove: false }, "May be approved by ops, but not by the submitter."],
  [{ approvers: [] }, "May be approved by nobody."],
] as const)("names who may approve: %j", (approval, text) => {
  expect(decidersText(approval)).toBe(text);
});
