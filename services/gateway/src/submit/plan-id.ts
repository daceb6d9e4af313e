import { createHash } from "node:crypto";
import { canonicalJson, PlanId } from "@planwright/plan";
import type { RandomBytes } from "@planwright/shared/telemetry";

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

/**
 * Returns the id of a new plan, and the hash by which a repeat of the request is told from another one with its key.
 *
 * @param content - What must be the same for a request to be a repeat; without a key it does not matter.
 */
export function identify(
  { tenant, idempotencyKey }: { readonly tenant: string; readonly idempotencyKey: string | undefined },
  content: unknown,
  random: RandomBytes,
): { readonly planId: PlanId; readonly hash: string } {
  if (idempotencyKey === undefined) return { planId: randomPlanId(random), hash: "" };
  return { planId: planIdForKey(tenant, idempotencyKey), hash: bodyHash(content) };
}

export function randomPlanId(random: RandomBytes): PlanId {
  return toPlanId(random(RANDOM_BYTES));
}

/** An id must not look like an option on a command line. */
function toPlanId(bytes: Uint8Array): PlanId {
  const text = Buffer.from(bytes).toString("base64url").slice(0, ID_CHARS);
  return PlanId.parse(text.replace(/^[-_]/, "p"));
}

/** SHA-256 of a decoded JSON value, the same for every order of its keys and whatever white space it came with. */
export function bodyHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}
