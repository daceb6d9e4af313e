import { expect, it } from "vitest";
import { ApprovalDecision } from "../events/approval-events.ts";
import { hasPermission, permissionToDecide, type Role, ROLE_DEFAULT } from "./roles.ts";

it("a key without a role may do everything but administer", () => {
  const permissions = ["read", "submit", "respond", "decide", "operate", "administer"] as const;
  expect(permissions.filter((permission) => !hasPermission(ROLE_DEFAULT, permission))).toEqual([
    "administer",
  ]);
});

it("a submitter rejects and answers, and an approver makes every decision", () => {
  const open = (role: Role) =>
    ApprovalDecision.options.filter((decision) => hasPermission(role, permissionToDecide(decision)));
  expect(open("viewer")).toEqual([]);
  expect(open("submitter")).toEqual(["reject", "answer"]);
  expect(open("approver")).toEqual(ApprovalDecision.options);
});
