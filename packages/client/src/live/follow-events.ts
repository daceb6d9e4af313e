/**
 * A plan's events as server-sent events, over as many connections as needed.
 *
 * Invariants:
 *   FOLLOW-1. Events are yielded in order, each once, without a gap.
 *   FOLLOW-2. A connection is read only as fast as the consumer takes events; at most one chunk is buffered.
 *   FOLLOW-3. Following ends with the plan, with the signal, or when nothing new has arrived for `awayMs`.
 */
import type { NumberedEvent } from "@planwright/api";
import { createParser, ParseError } from "eventsource-parser";
import { ConnectionError, isProblem, PlanwrightError, UnexpectedResponseError } from "../errors.ts";
import { backoffMs, createDeadline, type Deadline, delay } from "../http/timing.ts";
import { mayPass, type Transport, unreachable } from "../http/transport.ts";
import { AWAY_MS, type FollowOptions } from "../options.ts";

const NOTHING_MORE = 204;
/** The gateway sends a comment every 15 s. */
const SILENCE_MS_MAX = 45_000;
const SOON_MS = 100;
const EVENT_CHARS_MAX = 64 * 1024 * 1024;

export async function* followEvents(
  transport: Transport,
  planId: string,
  { after = 0, awayMs = AWAY_MS, signal }: FollowOptions & { readonly after?: number | undefined } = {},
): AsyncGenerator<NumberedEvent, void, undefined> {
  let last = after;
  let failures = 0;
  let heardMs = performance.now();
  let hasEnded = false;
  for (;;) {
    let broken: PlanwrightError | undefined;
    try {
      for await (const numbered of connect(transport, { planId, after: last, signal })) {
        if (numbered.seq <= last) continue;
        // A missing event is requested again.
        if (numbered.seq > last + 1)
          throw new ConnectionError(`event ${last + 1} of plan ${planId} is missing`);
        last = numbered.seq;
        hasEnded ||= numbered.event.type === "plan.ended";
        yield numbered;
        failures = 0;
        heardMs = performance.now();
      }
      if (hasEnded) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (error === NO_MORE) return;
      if (!(error instanceof PlanwrightError) || !mayPass(error)) throw error;
      broken = error;
    }
    if (performance.now() - heardMs > awayMs)
      throw broken ?? unreachable(transport.settings.baseUrl, "it closes every stream");
    const wantedMs = isProblem(broken) ? (broken.retryAfterSeconds ?? 0) * 1_000 : 0;
    await delay(Math.max(wantedMs, pauseMs(failures)), signal);
    failures += 1;
  }
}

/** After a connection that delivered events, the next one follows soon. */
function pauseMs(failures: number): number {
  return failures === 0 ? Math.random() * SOON_MS : backoffMs(failures, Math.random());
}

type Connection = {
  readonly planId: string;
  readonly after: number;
  readonly signal: AbortSignal | undefined;
};

const NO_MORE = new Error("the plan has ended");

async function* connect(
  transport: Transport,
  { planId, after, signal }: Connection,
): AsyncGenerator<NumberedEvent, void, undefined> {
  const deadline = createDeadline(signal, 0);
  try {
    const response = await transport.response("getEvents", {
      params: { planId },
      headers: { accept: "text/event-stream", "last-event-id": String(after) },
      maxRetries: 0,
      signal: deadline.signal,
    });
    if (response.status === NOTHING_MORE) throw NO_MORE;
    if (
      response.headers.get("content-type")?.includes("text/event-stream") !== true ||
      response.body === null
    ) {
      throw new UnexpectedResponseError("expected a stream of events, got something else", response.status);
    }
    yield* eventsIn(response.body.getReader(), deadline);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ParseError) {
      throw new UnexpectedResponseError(`an event cannot be read: ${error.message}`, 200, { cause: error });
    }
    if (error === NO_MORE || mayPass(error) || isProblem(error) || error instanceof UnexpectedResponseError)
      throw error;
    throw unreachable(transport.settings.baseUrl, error);
  } finally {
    deadline.release();
  }
}

async function* eventsIn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<NumberedEvent, void, undefined> {
  let events: NumberedEvent[] = [];
  const parser = createParser({
    maxBufferSize: EVENT_CHARS_MAX,
    onEvent: ({ id, data }) => {
      // The contract's types describe it.
      if (id !== undefined)
        events.push({ seq: Number(id), event: JSON.parse(data) as NumberedEvent["event"] });
    },
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw error;
    },
  });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      deadline.restart(SILENCE_MS_MAX);
      const { done, value } = await reader.read();
      // Silence is measured only while the connection is read.
      deadline.restart(0);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      const read = events;
      events = [];
      yield* read;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
