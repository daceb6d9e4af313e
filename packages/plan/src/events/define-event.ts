import { z } from "zod";
import { PlanId } from "../values/ids.ts";

/** The log that an event is written to, and when. */
export type EventHead = { readonly planId: PlanId; readonly at: Date };

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
    at: z.iso.datetime().meta({ description: "When the event was written." }),
    data: z.object(data),
  });
  type Sent = z.input<z.ZodObject<Data>>;
  type Read = z.output<z.ZodObject<Data>>;
  /**
   * @param nameOf - Names the event in its plan, by fields that parsing does not change. The id is derived from that name, so
   *   that the server drops the repeat of a writer that does not know whether its first message arrived. `rest` is what the
   *   name needs beside the data.
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
    /** @throws {z.ZodError} When the data does not fit the schema: a fault of the writer. */
    const create = ({ planId, at }: EventHead, content: Sent, ...rest: Rest): z.output<typeof schema> => {
      const event = { ...unstamped(planId, content as Read, ...rest), at: at.toISOString() };
      return isPlain?.(event) === true ? event : schema.parse(event);
    };
    return Object.assign(schema, { unstamped, create });
  };
  return { named };
}

/**
 * Names an event of which two with the same content are two events: two users decide simultaneously, or two workers begin
 * the same attempt. With a derived name, the server would take the second for a repeat of the first, and its writer would
 * believe that it came first. The subject, which takes only one message, deduplicates these events instead.
 *
 * @param writer - Different for each writer, and the same when a writer repeats itself.
 */
export function firstOnSubject(name: string, writer: string): string {
  return `${name}/${writer}`;
}
