/**
 * The gate through which steps are sent to their pools: as many as the workers run at a time, in a fair order. The rest
 * is held here, in the plans' states, and not in the pool's queue, which knows no order but that of arrival.
 *
 * Invariants:
 *   GATE-1. What is held is nothing but a name: when its turn comes, it is decided again from the plan's state at that time.
 *       Losing all of it loses nothing, because the planner that takes a plan over decides everything that it waits for.
 *   GATE-2. What has been sent is counted until the plan's log says that the attempt is over, or not wanted any more.
 *   GATE-3. What has begun is never held: its message is with a worker.
 */
import {
  type Command,
  decideRun,
  FairQueue,
  hasRunBegun,
  isEnded,
  isHalted,
  isRunOpen,
  isRunWanted,
  type KnownPlan,
  type Owner,
  type PlanEvent,
  type PlanId,
  poolRoom,
  type Room,
  type RunCommand,
  sentRun,
  weightOf,
  type SentRun,
  type StepId,
} from "@planwright/plan";
import { DEMAND_TENANTS_MAX, type PoolDemand } from "@planwright/shared/bus";
import type { OwnedPlan } from "../dispatch/owned-plan.ts";

/** How long the room of a pool counts that several planners share, in milliseconds. */
const ROOM_MS = 50;

export type WorkGateDeps = {
  /** How many steps the pool's workers run at a time; 0 when none is known. */
  readonly slots: (pool: string) => number;
  /** What the other planners have of the pool's work: steps, by tenant. */
  readonly others: (pool: string) => readonly ReadonlyMap<string, number>[];
  /** The plan if it is decided here. */
  readonly find: (planId: PlanId) => OwnedPlan | undefined;
  /** Carries a command out. */
  readonly send: (owned: OwnedPlan, command: Command) => void;
  /** Called when the demand may have changed. */
  readonly onChange: () => void;
  readonly now: () => Date;
};

export class WorkGate {
  readonly #deps: WorkGateDeps;
  readonly #queues = new Map<string, FairQueue<Message>>();
  readonly #messages = new MessageTable();
  readonly #rooms = new Map<string, { readonly room: Room; readonly untilMs: number }>();
  /** What has been taken since the last release. */
  #taken: Message[] = [];

  constructor(deps: WorkGateDeps) {
    this.#deps = deps;
  }

  /** Sends it, now or when its turn comes; call `release` after one or several. */
  take(owned: OwnedPlan, command: RunCommand): void {
    const { pool } = command.work;
    const queue = this.#queueOf(pool);
    // Known and sent: it is to be made sure of that it has arrived.
    if (queue.isInFlight(command.id)) return this.#deps.send(owned, command);
    const message = this.#messages.get(command.id) ?? this.#add(owned, command);
    if (hasRunBegun(owned.plan, message)) {
      queue.begin(ownerOf(owned), command.id);
      return this.#deps.send(owned, command);
    }
    message.command = command;
    queue.hold(ownerOf(owned), command.id, message);
    this.#taken.push(message);
  }

  /** Sends what may be sent now. */
  release(): void {
    for (const [pool, queue] of this.#queues) {
      if (queue.held === 0) continue;
      const room = this.#roomOf(pool, queue);
      for (let next = queue.next(room); next !== undefined; next = queue.next(room)) this.#send(next.item);
    }
    for (const message of this.#taken) delete message.command;
    this.#taken = [];
  }

  /** Looks at what an event has changed of the plan's attempts. */
  heed(owned: OwnedPlan, { type, data }: PlanEvent): void {
    // A step that fails may end the plan, and with it what others do.
    const isOfOneStep = "stepId" in data && type !== "step.failed" && !isEnded(owned.plan);
    const messages = this.#messages.of(owned.plan.planId, isOfOneStep ? data.stepId : undefined);
    for (const message of messages) this.#settle(message, owned);
  }

  /** Looks at everything: for what no event of a plan says, such as that it is not decided here any more. */
  sweep(): void {
    for (const message of this.#messages.all()) this.#settle(message, this.#deps.find(message.planId));
    for (const [pool, queue] of this.#queues)
      if (queue.held + queue.inFlight === 0) this.#queues.delete(pool);
  }

  /** What there is of each pool's work. */
  demand(): PoolDemand[] {
    return [...this.#queues].flatMap(([pool, queue]) => {
      const tenants = tenantsOf(queue);
      if (tenants.length === 0) return [];
      const oldest = this.#messages.get(queue.oldest() ?? "");
      const heldSince = oldest === undefined ? {} : { heldSince: new Date(oldest.takenMs).toISOString() };
      return [{ pool, ...heldSince, tenants }];
    });
  }

  #queueOf(pool: string): FairQueue<Message> {
    const queue = this.#queues.get(pool) ?? new FairQueue<Message>();
    this.#queues.set(pool, queue);
    return queue;
  }

  #add({ plan: { planId } }: OwnedPlan, command: RunCommand): Message {
    const takenMs = this.#deps.now().getTime();
    const message: Message = { ...sentRun(command), pool: command.work.pool, planId, takenMs };
    this.#messages.add(message);
    this.#deps.onChange();
    return message;
  }

  #forget(message: Message): void {
    this.#messages.remove(message);
    this.#queueOf(message.pool).end(message.id);
    this.#deps.onChange();
  }

  /** Forgets a message that is over; notes one that has begun. Returns whether it is still there. */
  #settle(message: Message, owned: OwnedPlan | undefined): owned is OwnedPlan {
    const { id, pool } = message;
    const queue = this.#queueOf(pool);
    const isSent = queue.isInFlight(id);
    // What is held of a halted plan is sent when the plan is resumed, by a separate decision.
    const isWaiting = (plan: KnownPlan) => isRunWanted(plan, message) && !isHalted(plan);
    const isKept = owned !== undefined && (isSent ? isRunOpen(owned.plan, message) : isWaiting(owned.plan));
    if (!isKept) this.#forget(message);
    else if (!isSent && hasRunBegun(owned.plan, message)) queue.begin(ownerOf(owned), id);
    return isKept;
  }

  #send(message: Message): void {
    const owned = this.#deps.find(message.planId);
    if (!this.#settle(message, owned)) return;
    const { command } = message;
    const commands = command === undefined ? decideRun(owned.plan, message) : [command];
    if (!commands.some(({ kind }) => kind === "run")) this.#forget(message);
    for (const one of commands) this.#deps.send(owned, one);
  }

  #roomOf(pool: string, queue: FairQueue<Message>): Room {
    const slots = this.#deps.slots(pool);
    const others = this.#deps.others(pool);
    if (others.length === 0) return poolRoom(slots, new Map(), others);
    const nowMs = this.#deps.now().getTime();
    const known = this.#rooms.get(pool);
    if (known !== undefined && known.untilMs > nowMs) return known.room;
    const room = poolRoom(slots, stepsByTenant(queue), others);
    this.#rooms.set(pool, { room, untilMs: nowMs + ROOM_MS });
    return room;
  }
}

/** A plan's sub-plans are counted as its own. */
function ownerOf({ plan: { planId, goal } }: OwnedPlan): Owner {
  return { tenant: goal.tenant, plan: goal.parent?.planId ?? planId, weight: weightOf(goal.priority) };
}

function stepsByTenant(queue: FairQueue<Message>): Map<string, number> {
  return new Map([...queue.loads()].map(([tenant, { inFlight, held }]) => [tenant, inFlight + held]));
}

/** Those with most first; what is left of very many is told as one that has no name. */
function tenantsOf(queue: FairQueue<Message>): PoolDemand["tenants"] {
  const all = [...queue.loads()].map(([tenant, load]) => ({ tenant, ...load }));
  if (all.length <= DEMAND_TENANTS_MAX) return all;
  const largestFirst = all.toSorted((left, right) => right.inFlight + right.held - left.inFlight - left.held);
  const rest = largestFirst.splice(DEMAND_TENANTS_MAX - 1);
  const sum = (count: (one: (typeof rest)[number]) => number) =>
    rest.reduce((total, one) => total + count(one), 0);
  return [
    ...largestFirst,
    { tenant: "", inFlight: sum(({ inFlight }) => inFlight), held: sum(({ held }) => held) },
  ];
}

/** In the queue of a pool. */
type Message = SentRun & {
  readonly pool: string;
  readonly planId: PlanId;
  /** When it was first to be sent, in milliseconds of Unix time. */
  readonly takenMs: number;
  /** While it is held and as the plan's state has it: only until the next release. */
  command?: RunCommand;
};

/** The messages with steps that are to be sent or have been, by their ids and by the steps that they bring. */
class MessageTable {
  readonly #messages = new Map<string, Message>();
  readonly #ofSteps = new Map<PlanId, Map<StepId, Set<Message>>>();

  all(): Iterable<Message> {
    return this.#messages.values();
  }

  get(id: string): Message | undefined {
    return this.#messages.get(id);
  }

  add(message: Message): void {
    this.#messages.set(message.id, message);
    const steps = this.#ofSteps.get(message.planId) ?? new Map<StepId, Set<Message>>();
    this.#ofSteps.set(message.planId, steps);
    for (const { stepId } of message.attempts) {
      const messages = steps.get(stepId) ?? new Set<Message>();
      steps.set(stepId, messages.add(message));
    }
  }

  remove(message: Message): void {
    this.#messages.delete(message.id);
    const steps = this.#ofSteps.get(message.planId);
    if (steps === undefined) return;
    for (const { stepId } of message.attempts) {
      const messages = steps.get(stepId);
      messages?.delete(message);
      if (messages?.size === 0) steps.delete(stepId);
    }
    if (steps.size === 0) this.#ofSteps.delete(message.planId);
  }

  /** Those of a plan, or of one of its steps. */
  of(planId: PlanId, stepId?: StepId): Message[] {
    const steps = this.#ofSteps.get(planId);
    if (steps === undefined) return [];
    if (stepId !== undefined) return [...(steps.get(stepId) ?? [])];
    return [...steps.values()].flatMap((messages) => [...messages]);
  }
}
