/** Parameters that the calls of one plan share. */
import { PlanId } from "@planwright/plan";
import { z } from "zod";

/** Not a `PlanId`: an id that no plan can have returns 404, like any unknown id. */
export const PlanPath = z.object({ planId: z.string().meta({ description: "The plan's id." }) });

/** Makes a repeat of the same request safe. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "wanted 1 to 255 printable characters")
  .meta({
    description:
      "Requests with the same key and body return the first response again. A different body is rejected.",
  });

/** Headers of calls that start a plan. */
export const SubmitHeaders = z.object({
  "idempotency-key": IdempotencyKey.optional(),
  traceparent: z
    .string()
    .optional()
    .meta({ description: "W3C trace context. The plan's spans become part of the caller's trace." }),
});

export const Accepted = z
  .object({
    planId: PlanId,
    traceId: z.string().meta({ description: "32 hexadecimal digits." }),
  })
  .meta({ description: "The plan is stored. Its view is at `GET /v1/plans/{planId}`." });
export type Accepted = z.output<typeof Accepted>;

export const EXAMPLE_PLAN_ID = "Ka-eDYid5pkZQBa_2k_WRP";
export const EXAMPLE_ACCEPTED = { planId: EXAMPLE_PLAN_ID, traceId: "4bf92f3577b34da6a3ce929d0e0e4736" };
