/**
 * The gate through which steps are sent to their pools: as many as the workers run at a time, in a fair order. The rest is held
 * here, in the plans' states, and not in the pool's queue, which only knows the order of arrival.
 *
 * Invariants:
 *   GATE-1. Only the names of steps are held: when its turn comes, a step is decided again from the plan's state at that time. So
 *           losing all held steps loses nothing: the planner that takes over a plan decides everything that it is waiting for.
 *   GATE-2. A sent message counts until the plan's log says that the attempt is over or no longer wanted.
 *   GATE-3. A step that has started is never held: its message is with a worker.
 *   GATE-4. Of a plan's held steps, the one with the longest remaining path is sent first.
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
} from "@planwright/plan";
import { DEMAND_TENANTS_MAX, type PoolDemand } from "@planwright/shared/bus";
import type { OwnedPlan } from "../dispatch/owned-plan.ts";
import { type Message, MessageTable } from "./message-table.ts";
import { StepRanks } from "./step-ranks.ts";

/** How long the computed room of a pool shared by several planners is used, in milliseconds. */
const ROOM_MS = 50;

export type WorkGateDeps = {
  /** How many steps the pool's workers run at a time; 0 when none are known. */
  readonly slots: (pool: string) => number;
  /** The other planners' shares of the pool's work: steps, by tenant. */
  readonly others: (pool: string) => readonly ReadonlyMap<string, number>[];
  /** The plan if it is decided here. */
  readonly find: (planId: PlanId) => OwnedPlan | undefined;
  /** Executes a command. */
  readonly send: (owned: OwnedPlan, command: Command) => void;
  /** Called when the demand may have changed. */
  readonly onChange: () => void;
  readonly now: () => Date;
};

export class WorkGate {
  readonly #deps: WorkGateDeps;
  readonly #queues = new Map<string, FairQueue<Message>>();
  readonly #messages = new MessageTable();
  readonly #ranks: StepRanks;
  readonly #rooms = new Map<string, { readonly room: Room; readonly untilMs: number }>();
  /** Messages taken since the last release. */
  #taken: Message[] = [];

  constructor(deps: WorkGateDeps) {
    this.#deps = deps;
    this.#ranks = new StepRanks(deps.find);
  }

  /** Sends the command, now or when its turn comes; call `release` after one or several calls. */
  take(owned: OwnedPlan, command: RunCommand): void {
    const { pool } = command.work;
    const queue = this.#queueOf(pool);
    // Known and already sent: this ensures that it has arrived.
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

  /** Sends whatever may be sent now. */
  release(): void {
    for (const [pool, queue] of this.#queues) {
      if (queue.held === 0) continue;
      const room = this.#roomOf(pool, queue);
      for (let next = queue.next(room); next !== undefined; next = queue.next(room)) this.#send(next.item);
    }
    for (const message of this.#taken) delete message.command;
    this.#taken = [];
  }

  /** Checks what an event has changed about the plan's attempts. */
  heed(owned: OwnedPlan, event: PlanEvent): void {
    this.#ranks.learn(owned, event);
    if (this.#ranks.forgetOutdated(owned))
      for (const queue of this.#queues.values()) queue.rankAgain(ownerOf(owned));
    const { type, data } = event;
    // A step that fails may end the plan, and with it the work of other steps.
    const isOfOneStep = "stepId" in data && type !== "step.failed" && !isEnded(owned.plan);
    const messages = this.#messages.of(owned.plan.planId, isOfOneStep ? data.stepId : undefined);
    for (const message of messages) this.#settle(message, owned);
  }

  /** Checks everything, for changes that no event of a plan reports, such as a plan no longer being decided here. */
  sweep(): void {
    for (const message of this.#messages.all()) this.#settle(message, this.#deps.find(message.planId));
    for (const [pool, queue] of this.#queues)
      if (queue.held + queue.inFlight === 0) this.#queues.delete(pool);
  }

  /** The current demand for each pool. */
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
    const queue = this.#queues.get(pool) ?? new FairQueue<Message>((message) => this.#ranks.of(message));
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

  /** Forgets a message that is over, and records that one has started. Returns whether it still exists. */
  #settle(message: Message, owned: OwnedPlan | undefined): owned is OwnedPlan {
    const { id, pool } = message;
    const queue = this.#queueOf(pool);
    const isSent = queue.isInFlight(id);
    // Held steps of a halted plan are sent when the plan is resumed, by a separate decision.
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

/** A plan's sub-plans count as part of the plan. */
function ownerOf({ plan: { planId, goal } }: OwnedPlan): Owner {
  return { tenant: goal.tenant, plan: goal.parent?.planId ?? planId, weight: weightOf(goal.priority) };
}

function stepsByTenant(queue: FairQueue<Message>): Map<string, number> {
  return new Map([...queue.loads()].map(([tenant, { inFlight, held }]) => [tenant, inFlight + held]));
}

/** The tenants with the most steps first; beyond the maximum, the rest is reported as one without a name. */
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
