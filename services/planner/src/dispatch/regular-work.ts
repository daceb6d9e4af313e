import type { Bus } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { oneAtATime } from "../one-at-a-time.ts";
import type { Carrier } from "./carrier.ts";
import { compareWithEnd, compareWithStart } from "./log-damage.ts";
import type { OpenPlanIndex } from "./open-plan-index.ts";
import type { OverdueTimers } from "./overdue-timers.ts";
import type { OwnedPlan } from "./owned-plan.ts";

/** The number of plans whose log is checked each time, which takes the server some ten milliseconds. */
const LOOKED_AT_MAX = 64;

export type RegularWork = {
  /** Runs the work once more. @param isHeld - Whether decisions are currently made here. */
  soon(isHeld: boolean): void;
  /** Resolves when no work is in progress; none starts afterwards. */
  stop(): Promise<void>;
};

/** A dispatcher's periodic work: it maintains the index, and looks for changes that it was not notified of. */
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
  /** The partitions decided here, their open plans, and how far their log has been read. */
  readonly owned: {
    partitions(): ReadonlySet<number>;
    plans(): Iterable<OwnedPlan>;
    position(): number;
  };
  readonly log: Logger;
}): RegularWork {
  const indexing = oneAtATime(() => index.flush(new Set(owned.partitions()), owned.position()));
  let round = owned.plans()[Symbol.iterator]();
  /** The next plans to check: if there are many, they take turns. */
  const nextPlans = (): OwnedPlan[] => {
    const plans: OwnedPlan[] = [];
    for (let next = round.next(); ; next = round.next()) {
      if (next.done === true) round = owned.plans()[Symbol.iterator]();
      else plans.push(next.value);
      if (next.done === true || plans.length === LOOKED_AT_MAX) return plans;
    }
  };
  const checking = oneAtATime(
    async () => {
      for (const cut of await compareWithStart(bus, owned.plans())) carrier.resume(cut);
      for (const cut of await compareWithEnd(bus, nextPlans())) carrier.resume(cut);
    },
    (error) => log.debug({ reason: describeError(error) }, "cannot read the log"),
  );
  const asking = oneAtATime(
    () => overdue.askAgain(owned.plans()),
    (error) => log.warn({ reason: describeError(error) }, "could not request overdue timers"),
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
