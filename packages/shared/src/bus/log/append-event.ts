/**
 * Storing what must be the first of its kind: an event in a plan's log, or a piece of work.
 *
 * A writer whose message is not stored because another one is there has lost a race, which is no failure: every event
 * and every piece of work has a writer that may be repeated, and the first one counts.
 */
import type { PlanEvent } from "@planwright/plan";
import { renderTraceParent, TRACEPARENT, type TraceParent } from "../../telemetry/trace-parent.ts";
import { ConflictError, type Publish, type PublishOptions } from "../publisher.ts";
import { factSubject } from "../subjects/subjects.ts";

/** What became of a message. `duplicate`: this very message had been stored before. `lost`: another one is there. */
export type Stored =
  | { readonly status: "stored" | "duplicate"; readonly sequence: number }
  | { readonly status: "lost" };

/** The last sequence on a subject, with wildcards, that the writer knows: it must still be the last. */
export type Fence = { readonly sequence: number; readonly subject: string };

type StoreOptions = Pick<PublishOptions, "headers" | "waitsForRoom">;

export type AppendOptions = Omit<StoreOptions, "headers"> & {
  /** The span that writes it. */
  readonly trace?: TraceParent | undefined;
  /** Default: the event is to be the first on its own subject. */
  readonly fence?: Fence;
  /** The event, serialized before. */
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
    expect: fence ?? FIRST,
  });
}

/**
 * Sends a piece of work, unless it waits in its queue, or in a worker's hands, already.
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
