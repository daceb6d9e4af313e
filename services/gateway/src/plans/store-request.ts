import type { PlanEvent } from "@planwright/plan";
import {
  type Bus,
  appendEvent,
  factSubject,
  type Publish,
  readFromLeader,
  STREAMS,
} from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import type { PlanBook } from "../book/plan-book.ts";

const FOLD_TIMEOUT_MS = 10_000;

export type StoreDeps = {
  readonly bus: Bus;
  readonly book: Pick<PlanBook, "find" | "reached">;
  readonly publish: Publish;
};

/**
 * Stores a request to a plan, unless the same request was stored before, and waits until the gateway's own view includes it.
 *
 * @throws {TransientError} When it is stored but has not come back within 10 s.
 */
export async function storeRequest({ bus, book, publish }: StoreDeps, event: PlanEvent): Promise<void> {
  const sequence = await publishOnce({ bus, publish }, event);
  if (sequence !== undefined) await takenIn(book, sequence);
}

/**
 * Resolves once the gateway's own view includes the stored request.
 *
 * @throws {TransientError} After 10 s.
 */
export async function takenIn(book: Pick<PlanBook, "reached">, sequence: number): Promise<void> {
  try {
    await book.reached(sequence, AbortSignal.timeout(FOLD_TIMEOUT_MS));
  } catch (cause) {
    throw new TransientError("the request is stored, but the gateway has not read it from the log yet", {
      cause,
    });
  }
}

/** The position of the request in the stream, whichever client made it first. */
async function publishOnce(
  { bus, publish }: Pick<StoreDeps, "bus" | "publish">,
  event: PlanEvent,
): Promise<number | undefined> {
  const stored = await appendEvent(publish, event);
  if (stored.status !== "lost") return stored.sequence;
  return (await readFromLeader(bus, STREAMS.plans, { last_by_subj: factSubject(event) }))?.seq;
}
