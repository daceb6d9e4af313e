/** The quotas of a tenant and its key, and how much of them is used. */
import { QUOTA_NAMES } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

export const Quota = z.object({
  of: z
    .enum(["tenant", "key"])
    .meta({ description: "`tenant`: all keys of the tenant share the quota. `key`: each key has its own." }),
  name: z.enum(QUOTA_NAMES),
  limit: z.number().nonnegative(),
  used: z.number().nonnegative(),
  resetsAt: z.iso
    .datetime()
    .optional()
    .meta({ description: "When the usage is reset to zero; absent if it only decreases when plans finish." }),
});
export type Quota = z.output<typeof Quota>;

export const QuotaList = z.object({
  quotas: z.array(Quota).meta({ description: "The quotas that are set; empty if there are no limits." }),
});
export type QuotaList = z.output<typeof QuotaList>;

export const listQuotas = defineEndpoint({
  id: "listQuotas",
  method: "GET",
  path: "/v1/quotas",
  tag: "system",
  summary: "List the quotas of the tenant and the key, with their usage",
  responses: { 200: QuotaList },
  example: {
    response: {
      quotas: [
        { of: "tenant", name: "usdPerDay", limit: 20, used: 3.4, resetsAt: "2026-02-01T00:00:00.000Z" },
        { of: "key", name: "openPlans", limit: 10, used: 2 },
      ],
    },
  },
});
