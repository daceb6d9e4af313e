import { z } from "zod";
import { PlanId } from "../values/ids.ts";

/** How far the log had been read, by its digest: see `machine/log-reading.ts`. */
export const After = z.int().nonnegative().optional().meta({
  description:
    "A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing.",
});

/** Builds one event type: the fields every event carries, around the `data` of this one. */
export function defineEvent<const Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  return z.object({
    id: z
      .string()
      .min(1)
      .max(512)
      .meta({ description: "Derived from the content of the event, never random. Also its `Nats-Msg-Id`." }),
    type: z.literal(type),
    planId: PlanId,
    after: After,
    at: z.iso.datetime().meta({ description: "When the event was written." }),
    data: z.object(data),
  });
}
