/**
 * Snapshots of a plan as it changes.
 *
 * Invariants:
 *   WATCH-1. Every snapshot is a view that the gateway made; `seq` never falls, and the last one has ended.
 *   WATCH-2. An unchanged part is the same object in the next snapshot.
 *   WATCH-3. A slow reader gets only the newest snapshot.
 */
import type { PlanView } from "@planwright/api";
import { applyChanges, changesBetween } from "@planwright/plan/json-changes";
import { backoffMs, createDeadline, delay } from "../http/timing.ts";
import { mayPass, type Transport } from "../http/transport.ts";
import { AWAY_MS, type FollowOptions } from "../options.ts";
import { followEvents } from "./follow-events.ts";
import type { Live } from "./live.ts";

/** How often the plan is read while the WebSocket is not open. */
const APART_MS = 3_000;
/** A connection that ended unnoticed looks like an idle one. */
const SILENT_MS = 30_000;
/** Between two reads of a plan that is followed through its events. */
const READ_MS = 200;

export async function* watchPlan(
  { transport, live }: { readonly transport: Transport; readonly live: Live },
  planId: string,
  { signal, awayMs = AWAY_MS }: FollowOptions = {},
): AsyncGenerator<PlanView, void, undefined> {
  const read = (): Promise<PlanView> => readPatiently(transport, planId, { signal, awayMs });
  const view = await read();
  yield view;
  if (view.ended) return;
  const follow = { planId, view, read, signal, awayMs };
  yield* live.isAvailable ? watchBySocket(live, follow) : watchByEvents(transport, follow);
}

type Follow = Required<Pick<FollowOptions, "awayMs">> & {
  readonly planId: string;
  readonly view: PlanView;
  readonly read: () => Promise<PlanView>;
  readonly signal: AbortSignal | undefined;
};

async function* watchBySocket(
  live: Live,
  { planId, view, read, signal }: Follow,
): AsyncGenerator<PlanView, void, undefined> {
  const notifier = createNotifier();
  let latest = view;
  let shown = view;
  let isAstray = false;
  let refused: Error | undefined;
  const take = (next: PlanView): void => {
    if (next.seq < latest.seq) return;
    latest = next;
    notifier.notify();
  };
  const viewer = {
    onView: (next: PlanView) => take(unitedWith(latest, next)),
    onChanges: ({ after, seq, changes }: { after: number; seq: number; changes: Changes }) => {
      if (seq <= latest.seq) return;
      // If the changes do not apply to our view, the whole view is read.
      if (after === latest.seq) return take(applyChanges(latest, changes));
      isAstray = true;
      notifier.notify();
    },
    onRefused: (error: Error) => {
      refused = error;
      notifier.notify();
    },
  };
  const unsubscribe = live.connection.subscribe(notifier.notify);
  let stop = live.watchView(planId, latest.seq, viewer);
  try {
    while (!shown.ended) {
      const isOpen = live.connection.get() === "open";
      const heard = latest;
      const isNoticed = await notifier.wait(isOpen ? SILENT_MS : APART_MS, signal);
      if (refused !== undefined) throw refused;
      const isSame = heard === latest && isOpen === (live.connection.get() === "open");
      // If something arrived while the reader was busy, the open connection is not silent.
      const isSilent = isSame && !(isOpen && isNoticed);
      if (isAstray || isSilent) {
        const next = await read();
        const isNews = next.seq > latest.seq;
        viewer.onView(next);
        // We should have been notified of it.
        if (isSilent && isOpen && isNews) live.renew();
        if (isAstray || isNews) {
          isAstray = false;
          stop();
          stop = live.watchView(planId, latest.seq, viewer);
        }
      }
      if (latest === shown) continue;
      shown = latest;
      yield shown;
    }
  } finally {
    unsubscribe();
    stop();
  }
}

/** Without a WebSocket: each event means that the view has changed. */
async function* watchByEvents(
  transport: Transport,
  { planId, view, read, signal, awayMs }: Follow,
): AsyncGenerator<PlanView, void, undefined> {
  const notifier = createNotifier();
  const pumping = createDeadline(signal, 0);
  let seq = view.seq;
  let ended: { readonly error?: unknown } | undefined;
  const pump = async (): Promise<void> => {
    for await (const event of followEvents(transport, planId, {
      after: seq,
      awayMs,
      signal: pumping.signal,
    })) {
      seq = event.seq;
      notifier.notify();
    }
  };
  const pumped = pump().then(
    () => {
      ended = {};
      notifier.notify();
    },
    (error: unknown) => {
      ended = { error };
      notifier.notify();
    },
  );
  try {
    for (let shown = view; !shown.ended; ) {
      await notifier.wait(SILENT_MS, signal);
      if (ended !== undefined && "error" in ended) throw ended.error;
      if (seq <= shown.seq && ended === undefined) continue;
      shown = unitedWith(shown, await read());
      yield shown;
      if (!shown.ended) await delay(READ_MS, signal);
    }
  } finally {
    pumping.end();
    pumping.release();
    await pumped;
  }
}

type Changes = Parameters<typeof applyChanges>[1];

/** Returns the second value, with the first value's objects for all equal parts. */
function unitedWith(known: PlanView, next: PlanView): PlanView {
  return applyChanges(known, changesBetween(known, next) ?? []);
}

/** Retries while the gateway restarts. */
async function readPatiently(
  transport: Transport,
  planId: string,
  { signal, awayMs }: { readonly signal: AbortSignal | undefined; readonly awayMs: number },
): Promise<PlanView> {
  const startedMs = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await transport.json("getPlan", { params: { planId }, maxRetries: 0, signal });
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayPass(error) || performance.now() - startedMs > awayMs) throw error;
      await delay(backoffMs(failures, Math.random()), signal);
    }
  }
}

/** Wakes one waiting reader. Calls while no reader waits are merged into one notice. */
type Notifier = {
  readonly notify: () => void;
  /**
   * Resolves on a notice, or after a time in milliseconds.
   *
   * @returns Whether there was a notice.
   * @throws The signal's reason when it aborts.
   */
  readonly wait: (timeoutMs: number, signal: AbortSignal | undefined) => Promise<boolean>;
};

function createNotifier(): Notifier {
  let isNoticed = false;
  let wake: (() => void) | undefined;
  return {
    notify: () => {
      isNoticed = true;
      wake?.();
    },
    wait: async (timeoutMs, signal) => {
      signal?.throwIfAborted();
      if (!isNoticed) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", done);
            wake = undefined;
            resolve();
          };
          const timer = setTimeout(done, timeoutMs);
          signal?.addEventListener("abort", done, { once: true });
          wake = done;
        });
      }
      const wasNoticed = isNoticed;
      isNoticed = false;
      signal?.throwIfAborted();
      return wasNoticed;
    },
  };
}
