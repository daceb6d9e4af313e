/**
 * Reads plans that are not in memory from the log, or from the archive once they have left the log: in pieces, with a limit on
 * simultaneous reads.
 */
import { counts, evolve, isEnded, type KnownPlan, noPlan, type Plan, type PlanId } from "@planwright/plan";
import { archivedEntries, type ArchiveStore, createArchiveStore } from "@planwright/shared/archive";
import { type Bus, type LogEntry, readPlanEvents } from "@planwright/shared/bus";
import { Problem } from "../http/problem.ts";
import { createGate, type Gate } from "./gate.ts";
import { NumberedEvent } from "./numbered-event.ts";

const READS_AT_ONCE = 8;
const READS_WAITING_MAX = 1_000;
/** The server returns this many events per response, so pieces up to this size waste none. */
const PIECE = 1_000;

/** A position in a plan's log, and the plan's state there. */
export type LogCursor = {
  readonly plan: Plan;
  /** The last stream sequence read. */
  readonly sequence: number;
  /** Whether the last piece reached the end of the stored log. */
  readonly isAtEnd: boolean;
  /** Whether the plan was deleted: nothing more follows. */
  readonly isDeleted: boolean;
  /**
   * Reads the next piece. Returns those of its events that the plan counts.
   *
   * @returns Undefined at the end of the stored log; a later call may yield more.
   * @throws {Problem} `overloaded` when too many are waiting to read.
   */
  next(signal?: AbortSignal): Promise<readonly NumberedEvent[] | undefined>;
};

export type LogReader = {
  open(planId: PlanId): LogCursor;
  /** The plan's current state in the log, and the stream sequence up to which it was read. Undefined when the plan is unknown. */
  read(planId: PlanId): Promise<{ readonly plan: KnownPlan; readonly sequence: number } | undefined>;
};

export function createLogReader(bus: Bus): LogReader {
  const gate = createGate({
    atOnce: READS_AT_ONCE,
    waitingMax: READS_WAITING_MAX,
    onFull: () => new Problem("overloaded", "Too many plans are being read; try again.", { retryAfterS: 1 }),
  });
  const archives = createArchiveStore(bus);
  const reading = new Map<PlanId, ReturnType<LogReader["read"]>>();
  const open = (planId: PlanId): LogCursor => openCursor({ bus, archives, gate }, planId);

  const readWhole = async (planId: PlanId) => {
    const cursor = open(planId);
    // Reads to the very end: late outcomes of effects follow the plan's own end.
    while ((await cursor.next()) !== undefined && !(cursor.isAtEnd && hasEnded(cursor.plan)));
    const { plan, sequence, isDeleted } = cursor;
    return plan.status === "absent" || isDeleted ? undefined : { plan, sequence };
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

type Reading = {
  readonly bus: Bus;
  readonly archives: ArchiveStore;
  readonly gate: Gate;
};

function openCursor({ bus, archives, gate }: Reading, planId: PlanId): LogCursor {
  let plan: Plan = noPlan;
  let sequence = 0;
  let isAtEnd = false;
  let isDeleted = false;
  let archived: AsyncIterator<Stored> | undefined;

  /** Undefined when there was nothing to read. */
  const take = async (source: AsyncIterator<Stored>): Promise<readonly NumberedEvent[] | undefined> => {
    const counted: NumberedEvent[] = [];
    // A message is never read twice: a piece ends after a whole one.
    let isWhole = true;
    for (let read = 0; read < PIECE || !isWhole; read++) {
      const next = await source.next();
      isAtEnd = next.done === true;
      if (next.done) return read === 0 ? undefined : counted;
      const { event } = next.value;
      ({ sequence, isLast: isWhole } = next.value);
      isDeleted ||= event.type === "delete.requested" || event.type === "plan.deleted";
      if (isDeleted) return undefined;
      const after = evolve(plan, event);
      if (counts(plan, after)) counted.push(new NumberedEvent(after.seq, event));
      plan = after;
    }
    return counted;
  };

  return {
    get plan() {
      return plan;
    },
    get sequence() {
      return sequence;
    },
    get isAtEnd() {
      return isAtEnd;
    },
    get isDeleted() {
      return isDeleted;
    },
    async next(signal) {
      if (isDeleted) return undefined;
      using _turn = await gate.enter(signal);
      if (archived === undefined) {
        const piece = await take(factsInLog(bus, planId, sequence + 1));
        if (piece !== undefined || isDeleted || hasEnded(plan)) return piece;
        if ((await archives.head(planId)) === undefined) return undefined;
        // The plan left the log before its beginning was read, or between two pieces.
        archived = factsInArchive({ bus, archives }, planId, plan.status === "absent" ? 1 : sequence + 1);
      }
      return take(archived);
    },
  };
}

type Stored = Pick<LogEntry, "event" | "sequence" | "isLast">;

async function* factsInLog(bus: Bus, planId: PlanId, from: number): AsyncGenerator<Stored, undefined> {
  for await (const stored of readPlanEvents(bus, planId, { from })) {
    if (stored.event.type !== "plan.archived") yield stored;
  }
}

/** The archive's content, followed by later events of the log. */
async function* factsInArchive(
  { bus, archives }: Omit<Reading, "gate">,
  planId: PlanId,
  from: number,
): AsyncGenerator<Stored, undefined> {
  let last = 0;
  for await (const message of archives.read(planId, { from })) {
    last = message.sequence;
    for (const entry of archivedEntries(message)) if ("event" in entry) yield entry;
  }
  for await (const stored of factsInLog(bus, planId, 1)) if (stored.sequence > last) yield stored;
}

function hasEnded(plan: Plan): boolean {
  return plan.status !== "absent" && isEnded(plan);
}
