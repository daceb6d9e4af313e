/** A plan's facts as they come: server-sent events, taken up again where they broke off. */
import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { AWAY_MS_MAX, mayPass, PAUSE_MS } from "./patience.ts";
import { readText } from "./read-text.ts";
import { refusalOf, unreachable } from "./refusal.ts";
import { jsonOf } from "./json-of.ts";

const NOTHING_MORE = 204;

const Fact = z.looseObject({ type: z.string(), at: z.string(), data: z.looseObject({}).optional() });

/** One fact of a plan's log, and its number there. */
export type NumberedEvent = { readonly seq: number; readonly event: z.infer<typeof Fact> };

type Following = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The number of the last fact that is known. */
  readonly after: number;
  readonly signal: AbortSignal;
};

/**
 * Ends with the plan.
 *
 * @throws {CliError} When it is refused, or the gateway has been away for a minute.
 * @throws The signal's reason when it aborts.
 */
export async function* followEvents(following: Following): AsyncGenerator<NumberedEvent> {
  let last = following.after;
  let heardMs = performance.now();
  for (;;) {
    try {
      for await (const fact of connect({ ...following, after: last })) {
        last = fact.seq;
        heardMs = performance.now();
        yield fact;
        if (fact.event.type === "plan.ended") return;
      }
    } catch (error) {
      following.signal.throwIfAborted();
      if (!mayPass(error) || performance.now() - heardMs > AWAY_MS_MAX)
        throw unreachable(following.url, error);
    }
    await delay(PAUSE_MS, undefined, { signal: following.signal });
  }
}

async function* connect({ url, headers, after, signal }: Following): AsyncGenerator<NumberedEvent> {
  const asked = { ...headers, accept: "text/event-stream", "last-event-id": String(after) };
  const response = await fetch(url, { headers: asked, signal });
  if (response.status === NOTHING_MORE) {
    yield { seq: after, event: { type: "plan.ended", at: "" } };
    return;
  }
  if (!response.ok) throw refusalOf(response.status, await readText(response));
  const messages: AsyncIterable<EventSourceMessage> | undefined = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of messages ?? []) {
    const event = Fact.safeParse(jsonOf(data)).data;
    if (id !== undefined && event !== undefined) yield { seq: Number(id), event };
  }
}
