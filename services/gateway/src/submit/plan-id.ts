import { PlanId } from "@planwright/plan";
import type { RandomBytes } from "@planwright/shared/telemetry";
import { createHash } from "node:crypto";

const ID_CHARS = 22;
const RANDOM_BYTES = 17;

/** The id of the plan that a tenant submits with this `Idempotency-Key`: the same for ever, on every replica. */
export function planIdForKey(tenant: string, key: string): PlanId {
  return toPlanId(
    createHash("sha256")
      .update(JSON.stringify([tenant, key]))
      .digest(),
  );
}

export function randomPlanId(random: RandomBytes): PlanId {
  return toPlanId(random(RANDOM_BYTES));
}

/** An id must not look like an option on a command line. */
function toPlanId(bytes: Uint8Array): PlanId {
  const text = Buffer.from(bytes).toString("base64url").slice(0, ID_CHARS);
  return PlanId.parse(text.replace(/^[-_]/, "p"));
}
