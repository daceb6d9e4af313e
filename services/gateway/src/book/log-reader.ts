/** Reads plans that are not in memory from the log: a piece at a time, and only so many at once. */
import { counts, evolve, type KnownPlan, noPlan, type Plan, type PlanId } from "@planwright/plan";
import { type Bus, readPlanEvents } from "@planwright/shared/bus";
import { Problem } from "../http/problem.ts";
import { createGate } from "./gate.ts";
import { NumberedEvent } from "./numbered-event.ts";

const READS_AT_ONCE = 8;
const READS_WAITING_MAX = 1_000;
/** The server hands out this many facts in one answer; a piece that is not larger wastes none. */
const PIECE = 1_000;

/** A place in a plan's log, and the plan as it was there. */
export type LogCursor = {
  readonly plan: Plan;
  /** The last stream sequence that was read. */
  readonly sequence: number;
  /**
   * Reads on. Answers the facts that the plan counts among those read.
   *
   * @returns Undefined at the end of what is stored now; asking again later may yield more.
   * @throws {Problem} `overloaded` when too many are waiting to read.
   */
  next(signal?: AbortSignal): Promise<readonly NumberedEvent[] | undefined>;
};

export type LogReader = {
  open(planId: PlanId): LogCursor;
  /** The plan as the log tells it now, and the stream sequence up to which it was read. Undefined: unknown. */
  read(planId: PlanId): Promise<{ readonly plan: KnownPlan; readonly sequence: number } | undefined>;
};

export function createLogReader(bus: Bus): LogReader {
  const gate = createGate({
    atOnce: READS_AT_ONCE,
    waitingMax: READS_WAITING_MAX,
    onFull: () => new Problem("overloaded", "Too many plans are being read; try again.", { retryAfterS: 1 }),
  });
  const reading = new Map<PlanId, ReturnType<LogReader["read"]>>();

  const open = (planId: PlanId): LogCursor => {
    let plan: Plan = noPlan;
    let sequence = 0;
    return {
      get plan() {
        return plan;
      },
      get sequence() {
        return sequence;
      },
      async next(signal) {
        using _turn = await gate.enter(signal);
        const counted: NumberedEvent[] = [];
        let read = 0;
        for await (const stored of readPlanEvents(bus, planId, { from: sequence + 1 })) {
          sequence = stored.sequence;
          const next = evolve(plan, stored.event);
          if (counts(plan, next)) counted.push(new NumberedEvent(next.seq, stored.event));
          plan = next;
          read += 1;
          if (read === PIECE) break;
        }
        return read === 0 ? undefined : counted;
      },
    };
  };

  const readWhole = async (planId: PlanId) => {
    const cursor = open(planId);
    // To the very end: what a late outcome says of an effect comes after the plan's own.
    while ((await cursor.next()) !== undefined);
    const { plan, sequence } = cursor;
    return plan.status === "absent" ? undefined : { plan, sequence };
  };

  return {
    open,
    read(planId) {
      const running = reading.get(planId);
      if (running !== undefined) return running;
      const started = readWhole(planId).finally(() => reading.delete(planId));
      reading.set(planId, started);
      return started;
    },
  };
}
