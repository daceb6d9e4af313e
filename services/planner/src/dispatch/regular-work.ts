import type { Bus } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { oneAtATime } from "../one-at-a-time.ts";
import type { Carrier } from "./carrier.ts";
import { compareWithStart } from "./log-damage.ts";
import type { OpenPlanIndex } from "./open-plan-index.ts";
import type { OverdueTimers } from "./overdue-timers.ts";
import type { OwnedPlan } from "./owned-plan.ts";

export type RegularWork = {
  /** Does it once more. @param isHeld - Whether anything is to be decided here now. */
  soon(isHeld: boolean): void;
  /** Resolves when nothing is being done any more; nothing is done afterwards. */
  stop(): Promise<void>;
};

/** What a dispatcher does every few seconds, whatever comes: it keeps its index, and looks for what nobody tells it. */
export function createRegularWork({
  bus,
  carrier,
  index,
  overdue,
  owned,
  log,
}: {
  readonly bus: Bus;
  readonly carrier: Pick<Carrier, "resume">;
  readonly index: Pick<OpenPlanIndex, "flush">;
  readonly overdue: Pick<OverdueTimers, "askAgain">;
  /** The partitions that are decided here, their open plans, and how far their log has been read. */
  readonly owned: {
    partitions(): ReadonlySet<number>;
    plans(): Iterable<OwnedPlan>;
    position(): number;
  };
  readonly log: Logger;
}): RegularWork {
  const indexing = oneAtATime(() => index.flush(new Set(owned.partitions()), owned.position()));
  const checking = oneAtATime(
    async () => {
      for (const cut of await compareWithStart(bus, owned.plans())) carrier.resume(cut);
    },
    (error) => log.debug({ reason: describeError(error) }, "the start of the log cannot be read"),
  );
  const asking = oneAtATime(
    () => overdue.askAgain(owned.plans()),
    (error) => log.warn({ reason: describeError(error) }, "overdue timers could not be asked for"),
  );
  return {
    soon(isHeld) {
      indexing.soon();
      if (!isHeld) return;
      checking.soon();
      asking.soon();
    },
    stop: async () => void (await Promise.all([indexing.stop(), checking.stop(), asking.stop()])),
  };
}
