/** A client that follows the contract: it repeats requests with the same key, and resumes where it was. */
import { PlanId } from "@planwright/plan";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { SeenEvent, SystemClient } from "./client.ts";

const AGAIN_MS = 50;
/** Responses after which to try again: 429 and 5xx. */
const COMES_BACK = new Set([429, 500, 502, 503, 504]);
const JSON_TYPE = { "content-type": "application/json" } as const;
const Accepted = z.object({ planId: PlanId });

export type CarefulClient = {
  /** Submits until it is accepted. @throws When it is rejected. */
  submit(body: object, key: string): Promise<PlanId>;
  /** Cancels until it is accepted or too late. */
  cancel(planId: PlanId): Promise<void>;
  /** Returns the plan's events up to its end, over as many connections as it takes. */
  follow(planId: PlanId): Promise<SeenEvent[]>;
};

/**
 * @param clients - One per gateway: when one does not answer, the next one is used.
 * @param signal - Ends every wait, with its reason.
 */
export function createCarefulClient(clients: readonly SystemClient[], signal: AbortSignal): CarefulClient {
  let turn = 0;
  const client = (): SystemClient => {
    const chosen = clients[turn % clients.length];
    if (chosen === undefined) throw new RangeError("wanted at least one client");
    return chosen;
  };
  const again = async (): Promise<void> => {
    turn += 1;
    await delay(AGAIN_MS, undefined, { signal });
  };
  const post = async (path: string, body: object, headers: Record<string, string>): Promise<Response> => {
    for (;;) {
      const init = {
        method: "POST",
        body: JSON.stringify(body),
        headers: { ...JSON_TYPE, ...headers },
        signal,
      };
      const response = await client()
        .fetch(path, init)
        .catch(() => undefined);
      if (response !== undefined && !COMES_BACK.has(response.status)) return response;
      await again();
    }
  };
  return {
    async submit(body, key) {
      const response = await post("/v1/plans", body, { "idempotency-key": key });
      if (response.status !== 202) throw new Error(`${key}: ${response.status} ${await response.text()}`);
      return Accepted.parse(await response.json()).planId;
    },
    async cancel(planId) {
      const response = await post(`/v1/plans/${planId}/cancel`, {}, {});
      if (response.status !== 202 && response.status !== 409) {
        throw new Error(`cancel ${planId}: ${response.status} ${await response.text()}`);
      }
    },
    async follow(planId) {
      const seen: SeenEvent[] = [];
      for (;;) {
        try {
          for await (const one of client().stream(planId, { after: seen.at(-1)?.seq ?? 0, signal })) {
            seen.push(one);
            if (one.event.type === "plan.ended") return seen;
          }
        } catch (error) {
          signal.throwIfAborted();
          // A response that breaks the contract is a fault; a lost connection is not.
          if (error instanceof z.ZodError) throw error;
        }
        await again();
      }
    },
  };
}
