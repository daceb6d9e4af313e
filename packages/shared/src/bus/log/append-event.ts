/**
 * Stores messages that must be the first of their kind: an event in a plan's log, or a piece of work.
 *
 * A writer whose message is not stored because another one exists has lost a race, which is not a failure: every event
 * and every piece of work has a writer that can be repeated, and the first one counts.
 */
import { batchId, batchText, cutBatches, type PlanEvent } from "@planwright/plan";
import { renderTraceParent, TRACEPARENT, type TraceParent } from "../../telemetry/trace-parent.ts";
import { mayStandBefore } from "../subjects/check-writer.ts";
import { ConflictError, type Publish, type PublishOptions } from "../publisher.ts";
import { factSubject } from "../subjects/subjects.ts";

/** The outcome of a write. `duplicate`: this very message had been stored before. `lost`: another one exists. */
export type Stored =
  | { readonly status: "stored" | "duplicate"; readonly sequence: number }
  | { readonly status: "lost" };

/** The last sequence known to the writer on a subject (wildcards allowed), which must still be the last. */
export type Fence = { readonly sequence: number; readonly subject: string };

type StoreOptions = Pick<PublishOptions, "headers" | "waitsForRoom">;

export type AppendOptions = Omit<StoreOptions, "headers"> & {
  /** The span of the write. */
  readonly trace?: TraceParent | undefined;
  /** Default: the event must be the first on its own subject. */
  readonly fence?: Fence;
  /** The serialized event. */
  readonly payload?: Uint8Array;
};

/**
 * Appends an event to its plan's log.
 *
 * @throws {StoreFullError | TransientError} As `publish` does.
 */
export function appendEvent(
  publish: Publish,
  event: PlanEvent,
  { fence, payload, trace, ...options }: AppendOptions = {},
): Promise<Stored> {
  return store(publish, factSubject(event), payload ?? event, {
    ...options,
    ...(trace === undefined ? {} : { headers: { [TRACEPARENT]: renderTraceParent(trace) } }),
    id: event.id,
    events: [event],
    expect: fence ?? FIRST,
  });
}

export type AppendAllOptions = Omit<AppendOptions, "payload"> & {
  /** The subject of an event that is alone in its message. Default: `factSubject`. */
  readonly subjectOf?: (event: PlanEvent) => string;
};

/**
 * Appends events to their plan's log in order, in as few messages as their kinds and the limits of a batch permit.
 *
 * A message is stored on the subject of its last event. Its id is derived from the ids of its events, so that the server does not
 * treat a batch with a different cut as a duplicate. Each message expects the one before it, if that one is under the fence.
 *
 * @param events - Of one plan, by one writer; at least one.
 * @returns The outcome with the sequence of the last message. `lost`: earlier messages may be stored.
 * @throws {StoreFullError | TransientError} As `publish` does.
 */
export async function appendEvents(
  publish: Publish,
  events: readonly PlanEvent[],
  { fence, trace, subjectOf = factSubject, ...options }: AppendAllOptions = {},
): Promise<Stored> {
  const headers = trace === undefined ? {} : { headers: { [TRACEPARENT]: renderTraceParent(trace) } };
  const sized = events.map((event) => {
    const text = JSON.stringify(event);
    return { event, text, bytes: Buffer.byteLength(text), subject: subjectOf(event) };
  });
  let expect: Fence | typeof FIRST = fence ?? FIRST;
  let result: Stored | undefined;
  const mayShare = (one: { readonly subject: string }, next: { readonly subject: string }): boolean =>
    mayStandBefore(one.subject, next.subject);
  for (const { all, last } of cutBatches(sized, mayShare)) {
    const { subject } = last;
    const body = Buffer.from(batchText(all.map(({ text }) => text)));
    const id = batchId(
      last.event.planId,
      all.map(({ event }) => event.id),
    );
    const own = { ...options, ...headers, id, expect, events: all.map(({ event }) => event) };
    const stored = await store(publish, subject, body, own);
    if (stored.status === "lost") return stored;
    if (fence !== undefined && isUnder(subject, fence.subject)) {
      expect = { ...fence, sequence: stored.sequence };
    }
    result = stored;
  }
  if (result === undefined) throw new RangeError("wanted events to append, got none");
  return result;
}

/** Whether a subject matches the filter of a fence, which may have wildcards. */
function isUnder(subject: string, filter: string): boolean {
  const tokens = subject.split(".");
  const wanted = filter.split(".");
  const rest = wanted.at(-1) === ">" ? wanted.length - 1 : undefined;
  if (rest === undefined ? tokens.length !== wanted.length : tokens.length <= rest) return false;
  return wanted.slice(0, rest).every((token, index) => token === "*" || token === tokens[index]);
}

/**
 * Sends a piece of work, unless it is already in its queue or being processed by a worker.
 *
 * @throws {StoreFullError | TransientError} As `publish` does.
 */
export function sendOnce(
  publish: Publish,
  subject: string,
  work: object,
  options: StoreOptions & { readonly id: string },
): Promise<Stored> {
  return store(publish, subject, work, { ...options, expect: FIRST });
}

const FIRST = { sequence: 0 } as const;

async function store(
  publish: Publish,
  subject: string,
  body: object,
  options: PublishOptions,
): Promise<Stored> {
  try {
    const { sequence, duplicate } = await publish(subject, body, options);
    return { status: duplicate ? "duplicate" : "stored", sequence };
  } catch (error) {
    if (error instanceof ConflictError) return { status: "lost" };
    throw error;
  }
}
