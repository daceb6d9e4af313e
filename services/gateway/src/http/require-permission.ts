import { hasPermission, type Permission, rolesWith } from "@planwright/plan";
import type { Authenticated } from "./authenticate.ts";
import { Problem } from "./problem.ts";

/**
 * Refuses whatever the role of a key or user does not permit. Called wherever requests arrive: for each route, each message of a
 * WebSocket, each tool call of an MCP client, and each approval decision.
 *
 * @param what - The call to name in the refusal, such as `submitPlan`.
 * @throws {Problem} `role_required`
 */
export function requirePermission(
  { identity, role }: Pick<Authenticated, "identity" | "role">,
  permission: Permission,
  what: string,
): void {
  if (hasPermission(role, permission)) return;
  throw new Problem(
    "role_required",
    `${identity ?? "this request"} has the role ${role}; ${what} needs one of ${rolesWith(permission).join(", ")}`,
  );
}
