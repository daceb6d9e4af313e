import type { Bus } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { oneAtATime } from "../one-at-a-time.ts";
import type { Carrier } from "./carrier.ts";
import { compareWithEnd, compareWithStart } from "./log-damage.ts";
import type { OpenPlanIndex } from "./open-plan-index.ts";
import type { OverdueTimers } from "./overdue-timers.ts";
import type { OwnedPlan } from "./owned-plan.ts";

/** Plans whose log is looked at each time: some ten milliseconds of the server's. */
const LOOKED_AT_MAX = 64;

export type RegularWork = {
  /** Does it once more. @param isHeld - Whether anything is to be decided here now. */
  soon(isHeld: boolean): void;
  /** Resolves when nothing is being done any more; nothing is done afterwards. */
  stop(): Promise<void>;
};

/** The periodic work of a dispatcher: it keeps its index, and looks for changes without notice. */
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
  let round = owned.plans()[Symbol.iterator]();
  /** Those whose turn it is: each of many plans is looked at in its turn. */
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
