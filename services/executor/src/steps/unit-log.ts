/** Adds events of a unit's worker to the plan's log: several events per message, each message after the one before. */
import type { KnownPlan, PlanEvent, UnitWork } from "@planwright/plan";
import { appendEvents, type Bus, readPlan, unitSubjects } from "@planwright/shared/bus";
import { TakenOverError } from "@planwright/shared/queue";
import type { TraceParent } from "@planwright/shared/telemetry";
import type { StepDeps } from "./step-deps.ts";

/** How long an outcome waits for others, in milliseconds. */
const WAIT_MS = 5;

type UnitName = Pick<UnitWork, "planId" | "unit" | "pool">;

export class UnitLog {
  readonly #publish: StepDeps["publish"];
  readonly #subject: string;
  readonly #trace: TraceParent | undefined;
  #last: number;
  #events: PlanEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  /** @param options.last - The sequence of the last message about the unit; 0 when there is none. */
  constructor(
    { publish }: Pick<StepDeps, "publish">,
    unit: UnitName,
    { last, trace }: { readonly last: number; readonly trace?: TraceParent },
  ) {
    this.#publish = publish;
    this.#subject = unitSubjects(unit);
    this.#last = last;
    this.#trace = trace;
  }

  /** Stores the event a little later, together with others that are added until then. */
  add(event: PlanEvent): void {
    this.#events.push(event);
    // A failure surfaces at the next `flush`.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), WAIT_MS);
  }

  /**
   * Stores the added events.
   *
   * @throws {TakenOverError} When another worker has written about the unit. Nothing can be stored from then on.
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(() => this.#write());
    return this.#written;
  }

  async #write(): Promise<void> {
    const events = this.#events;
    if (events.length === 0) return;
    this.#events = [];
    const fence = { sequence: this.#last, subject: this.#subject };
    const stored = await appendEvents(this.#publish, events, { fence, trace: this.#trace });
    if (stored.status === "lost") throw new TakenOverError("another worker has the unit");
    this.#last = stored.sequence;
  }
}

/** The plan, and the last message that a worker wrote about the unit; 0 when there is none. */
export async function readUnit(
  bus: Bus,
  unit: UnitName,
): Promise<{ readonly plan: KnownPlan | undefined; readonly last: number }> {
  const prefix = unitSubjects(unit).slice(0, -1);
  let last = 0;
  const plan = await readPlan(bus, unit.planId, ({ subject, sequence }) => {
    if (subject.startsWith(prefix)) last = sequence;
  });
  return { plan, last };
}
