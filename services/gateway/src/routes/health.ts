import { JetStreamApiError } from "@nats-io/jetstream";
import { getHealth, getReadiness } from "@planwright/api";
import { type Bus, PROBE_SUBJECT, replacing } from "@planwright/shared/bus";
import { VERSION } from "@planwright/shared/version";
import { type App, serve } from "../http/contract.ts";

const ANSWER_WITHIN_MS = 1_000;
/** How long a good result is cached, so that frequent probes cost nothing. A fault is rechecked sooner. */
const GOOD_FOR_MS = 5_000;
const BAD_FOR_MS = 1_000;
/** JetStream: the store's limit is reached. */
const INSUFFICIENT_RESOURCES = 10_023;

/**
 * `GET /healthz`: the process responds. `GET /readyz`: it can do its work.
 *
 * @param deps.missing - Returns the missing parts as text; empty when nothing is missing.
 */
export function healthRoutes(
  app: App,
  { missing }: { readonly missing: () => Promise<readonly string[]> },
): void {
  serve(app, getHealth, async () => ({ alive: true as const, version: VERSION }));
  serve(app, getReadiness, async (_request, reply) => {
    const faults = await missing();
    const ready = faults.length === 0;
    return reply.code(ready ? 200 : 503).send({ ready, missing: [...faults] });
  });
}

/** Explains why nothing can be stored; undefined when it can. */
export type StoreProbe = () => Promise<string | undefined>;

/**
 * Tests by writing whether the log accepts writes: nothing else notices a full disk or a lost majority.
 *
 * @param clock - A monotonic clock in milliseconds.
 */
export function createStoreProbe(bus: Bus, clock: () => number): StoreProbe {
  let found: { readonly fault: string | undefined; readonly untilMs: number } | undefined;
  let probing: Promise<string | undefined> | undefined;
  const probe = async (): Promise<string | undefined> => {
    const fault = await faultOf(bus);
    found = { fault, untilMs: clock() + (fault === undefined ? GOOD_FOR_MS : BAD_FOR_MS) };
    probing = undefined;
    return fault;
  };
  return async () => {
    if (found !== undefined && clock() < found.untilMs) return found.fault;
    probing ??= probe();
    return probing;
  };
}

async function faultOf(bus: Bus): Promise<string | undefined> {
  try {
    // Replaces the previous probe, so that there is never more than one.
    const options = { headers: replacing(), timeout: ANSWER_WITHIN_MS, retries: 1 };
    await bus.js.publish(PROBE_SUBJECT, "", options);
    return undefined;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === INSUFFICIENT_RESOURCES) {
      return "the store of NATS is full: nothing is stored until space is freed";
    }
    if (error instanceof JetStreamApiError && error.status < 500)
      return `NATS stores nothing: ${error.message}`;
    return bus.connection.info?.cluster === undefined
      ? "NATS stores nothing: its disk is full or cannot be written, or it is starting"
      : "NATS stores nothing: the log has no leader, because too few servers of the cluster are up or one is being elected; or the leader's disk is full";
  }
}
