import { z } from "zod";
import { PlanId } from "../values/ids.ts";

/** How far the log had been read, as its digest: see `machine/log-reading.ts`. */
export const After = z.int().nonnegative().optional().meta({
  description:
    "A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing.",
});

/**
 * The log that an event is written to, how far it had been read, and when. The work that an event reports on has the first two.
 */
export type EventHead = {
  readonly planId: PlanId;
  readonly after?: number | undefined;
  readonly at: Date;
};

/**
 * Defines one event type: the fields that every event carries, around the `data` of this one. `named` adds the factories:
 * `unstamped` builds an event that still lacks the time at which it is written, `create` a checked event.
 */
export function defineEvent<const Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  const schema = z.object({
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
  type Sent = z.input<z.ZodObject<Data>>;
  type Read = z.output<z.ZodObject<Data>>;
  /**
   * @param nameOf - Names the event in its plan, by fields that parsing does not change. The id is derived from that name, so
   * that the server drops the duplicate of a writer that does not know whether its first message arrived. `rest` holds further
   * inputs of the name.
   * @param isPlain - Whether the schema would return an event unchanged, so that it need not be parsed.
   */
  const named = <Rest extends readonly unknown[]>(
    nameOf: (data: Read, ...rest: Rest) => string,
    isPlain?: (event: unknown) => boolean,
  ) => {
    const unstamped = (planId: PlanId, content: Read, ...rest: Rest) => ({
      id: `${planId}/${nameOf(content, ...rest)}`,
      type,
      planId,
      data: content,
    });
    /** @throws {z.ZodError} If the data does not fit the schema: a bug in the writer. */
    const create = (head: EventHead, content: Sent, ...rest: Rest): z.output<typeof schema> => {
      const { planId, after, at } = head;
      const read = after === undefined ? {} : { after };
      const event = { ...unstamped(planId, content as Read, ...rest), ...read, at: at.toISOString() };
      return isPlain?.(event) === true ? event : schema.parse(event);
    };
    return Object.assign(schema, { unstamped, create });
  };
  return { named };
}

/**
 * Names an event whose repetition with the same content is a separate event: two users decide simultaneously, or two workers
 * begin the same attempt. With a derived name, the server would drop the second one as a duplicate of the first, and its writer
 * would believe that it came first. The subject, which takes only one message, deduplicates these events instead.
 *
 * @param writer - Different for each writer, and the same when a writer retries.
 */
export function firstOnSubject(name: string, writer: string): string {
  return `${name}/${writer}`;
}
