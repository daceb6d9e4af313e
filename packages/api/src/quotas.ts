/** What a tenant and its key may use, and what they use of it. */
import { QUOTA_NAMES } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const Quota = z.object({
  of: z.enum(["tenant", "key"]).meta({ description: "Whether all keys of the tenant share it." }),
  name: z.enum(QUOTA_NAMES),
  limit: z.number().nonnegative(),
  used: z.number().nonnegative(),
  resetsAt: z.iso
    .datetime()
    .optional()
    .meta({ description: "When the use starts again from zero; absent where plans have to end first." }),
});
export type Quota = z.output<typeof Quota>;

export const QuotaList = z.object({
  quotas: z.array(Quota).meta({ description: "Those that are set; empty when nothing is limited." }),
});
export type QuotaList = z.output<typeof QuotaList>;

export const listQuotas = defineEndpoint({
  id: "listQuotas",
  method: "GET",
  path: "/v1/quotas",
  tag: "system",
  summary: "List the quotas of the tenant and of the key, with their use",
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
