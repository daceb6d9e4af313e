import { z } from "zod";
import { PlanId } from "../values/ids.ts";

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
    at: z.iso.datetime().meta({ description: "When the event was written." }),
    data: z.object(data),
  });
}
