import { expect, it } from "vitest";
import { ApprovalDecision } from "../events/approval-events.ts";
import { hasPermission, permissionToDecide, type Role, ROLE_DEFAULT } from "./roles.ts";

it("lets a key without a role do everything but administer", () => {
  const permissions = ["read", "submit", "respond", "decide", "operate", "administer"] as const;
  expect(permissions.filter((permission) => !hasPermission(ROLE_DEFAULT, permission))).toEqual([
    "administer",
  ]);
});

it("lets a submitter reject and answer, and an approver make every decision", () => {
  const open = (role: Role) =>
    ApprovalDecision.options.filter((decision) => hasPermission(role, permissionToDecide(decision)));
  expect(open("viewer")).toEqual([]);
  expect(open("submitter")).toEqual(["reject", "answer"]);
  expect(open("approver")).toEqual(ApprovalDecision.options);
});
