import { describe, expect, it } from "vitest";
import type { GatePolicy } from "./gate-policy.ts";
import { type Deciding, decisionRefusal } from "./may-decide.ts";

const call = { kind: "tool-risk", tool: "refund", args: { amount: 5 } } as const;
const deciding = (more: Partial<Deciding> = {}): Deciding => ({
  decision: "approve",
  identity: "acme/ann",
  ...more,
});
const refusalUnder = (
  settings: Partial<GatePolicy> | undefined,
  more?: Partial<Deciding>,
  submittedBy?: string,
) => {
  const policy = settings === undefined ? undefined : { rules: [], ...settings };
  return decisionRefusal({ policy, submittedBy }, call, deciding(more));
};

describe("who may decide an approval", () => {
  it("lets every key approve if the policy does not restrict it", () => {
    expect(refusalUnder(undefined)).toBeUndefined();
    expect(refusalUnder(undefined, {}, "acme/ann")).toBeUndefined();
  });

  it("lets everyone decide everything if no keys are configured", () => {
    expect(refusalUnder({ approvers: [] }, { identity: undefined })).toBeUndefined();
  });

  it.each([
    [
      { approvers: ["acme/boss", "ops"] },
      "acme/ann may not approve it; .* lets these do so: acme/boss, ops$",
    ],
    [{ approvers: [] }, "lets these do so: nobody$"],
  ])("lets only the approvers of %j approve, and every key reject", (policy, refusal) => {
    expect(refusalUnder(policy)).toMatch(new RegExp(refusal));
    expect(refusalUnder(policy, { decision: "reject" })).toBeUndefined();
  });

  it("accepts an approver by name or by a pattern", () => {
    expect(refusalUnder({ approvers: ["acme/ann"] })).toBeUndefined();
    expect(refusalUnder({ approvers: ["acme/*"] })).toBeUndefined();
  });

  it("tells a submitter who may not approve which others may", () => {
    const policy = { submitterMayApprove: false };
    expect(refusalUnder(policy, {}, "acme/ann")).toMatch(/who may: any other key of the tenant$/);
    expect(refusalUnder({ ...policy, approvers: ["acme/*"] }, {}, "acme/ann")).toMatch(/who may: acme\/\*$/);
    expect(refusalUnder(policy, {}, "acme/bob")).toBeUndefined();
  });

  it("evaluates edited arguments instead of the displayed ones", () => {
    const policy = { rules: [{ tools: ["refund"], when: "amount > 100", approvers: ["acme/boss"] }] };
    expect(refusalUnder(policy)).toBeUndefined();
    expect(refusalUnder(policy, { edits: { amount: 500 } })).toMatch(/lets these do so: acme\/boss$/);
  });

  it("does not let an MCP client approve unless mcpApprovers names it", () => {
    expect(refusalUnder(undefined, { isMcp: true })).toMatch(/may not approve through MCP, no one may/);
    expect(refusalUnder({ mcpApprovers: ["ops"] }, { isMcp: true })).toMatch(/only ops may/);
    expect(refusalUnder({ mcpApprovers: ["acme/ann"] }, { isMcp: true })).toBeUndefined();
    expect(refusalUnder(undefined, { isMcp: true, decision: "reject" })).toBeUndefined();
  });

  it("lets every key answer a question", () => {
    const question = { kind: "question", tool: undefined, args: {} } as never;
    expect(decisionRefusal({ policy: { rules: [], approvers: [] } }, question, deciding())).toBeUndefined();
  });
});
