/**
 * A plan's dispatcher, its workers, planners, joiners and timers, all as slow, forgetful and unreliable as `choices` dictates: a
 * list of numbers that is consumed, followed by zeros. Zero is always the harmless choice that brings the plan nearer to its end,
 * so every run ends unless something was lost.
 */
import assert from "node:assert/strict";
import type { Command, Unstamped } from "../src/decide/command.ts";
import { decide } from "../src/decide/decide.ts";
import { decideAhead } from "../src/decide/decide-ahead.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { DELIVERIES_EXHAUSTED } from "../src/values/codes.ts";
import { LogReading } from "../src/machine/log-reading.ts";
import { PlanView, viewOf } from "../src/view/plan-view.ts";
import { choicesOf } from "../src/machine/approval/approval-transitions.ts";
import { standingOf } from "../src/machine/links/standing.ts";
import { isEnded, type KnownPlan, noPlan, type Plan } from "../src/machine/plan-state.ts";
import type { Allowance } from "../src/language/budget.ts";
import type { PlannedStep } from "./arbitraries.ts";
import { type Choose, TrueSpending } from "./budget-invariants.ts";
import {
  approvalDecided,
  cancelRequested,
  known,
  pauseRequested,
  redriveRequested,
  resumeRequested,
} from "./facts.ts";
import { SimulatedGate } from "./simulated-gate.ts";
import { editsOf } from "./simulated-edits.ts";
import { lateFact } from "./simulated-late-facts.ts";
import { SimulatedSubPlans } from "./simulated-sub-plans.ts";
import { SimulatedThinkers } from "./simulated-thinkers.ts";
import { type Activity, named, SimulatedWorkers } from "./simulated-worker.ts";
import { checkedDecide, idOf, purposeOf } from "./command-invariants.ts";
import { checkedEvolve } from "./invariants.ts";

const ACTIONS_MAX = 50_000;
const FLOW = new Set<PlanEvent["type"]>(["pause.requested", "resume.requested", "cancel.requested"]);

type RecordCommand = Extract<Command, { kind: "record" }>;

export type WorldOptions = {
  readonly goal: PlanEvent;
  /** The steps of the first draft, of the second, and so on, cyclically. */
  readonly drafts?: readonly (readonly PlannedStep[])[];
  readonly choices: readonly number[];
};

/** Runs a plan to its end. Throws when an invariant breaks, or when no actor is left to finish the plan. */
export function runWorld(options: WorldOptions): { log: readonly PlanEvent[]; plan: KnownPlan } {
  const world = new SimulatedWorld(options);
  for (let actions = 0; !world.hasEnded(); actions++) {
    assert.ok(actions < ACTIONS_MAX, "the plan does not come to an end");
    world.act();
  }
  const plan = world.truth();
  // Every step of a valid plan can run or be skipped.
  if (plan.conclusion?.outcome === "succeeded") {
    const open = plan.steps.filter((entry) => entry.replaced !== true && standingOf(entry) === "open");
    assert.deepEqual([...open.keys()], [], "the plan ended with steps that others still wait for");
  }
  assert.equal(plan.done, plan.total, "the plan ended with unsettled steps");
  const free = plan.revisions.filter(({ cause }) => cause === "wave" || cause === "critique");
  assert.ok(free.filter(({ cause }) => cause === "critique").length <= 1, "a draft was improved twice");
  assert.ok(
    plan.revision - free.length <= plan.goal.maxReplans,
    `the plan was revised ${plan.revision} times`,
  );
  const view = viewOf(plan, Date.parse(plan.updatedAt));
  assert.deepEqual(PlanView.parse(view), view, "the view keeps to its schema");
  return { log: world.log, plan };
}

class SimulatedWorld {
  readonly log: PlanEvent[] = [];
  /** The events of the log by message. */
  readonly #messages: (readonly PlanEvent[])[] = [];
  readonly #thinkers: SimulatedThinkers;
  readonly #choices: Iterator<number>;
  readonly #activities: { readonly activity: Activity; readonly after: number | undefined }[] = [];
  readonly #spending = new TrueSpending();
  readonly #storedIds = new Set<string>();
  readonly #purposes = new Map<string, string>();
  /** The commanded attempts with their allowances. */
  readonly #commanded = new Map<string, Allowance | undefined>();
  /** A number from 0 to `options - 1`. */
  readonly #choose: Choose = (options) => {
    const choice = this.#choices.next();
    return choice.done === true ? 0 : choice.value % Math.max(1, options);
  };
  readonly #gate = new SimulatedGate({ choose: this.#choose, wasSent: (id) => this.#commanded.has(id) });
  readonly #workers = new SimulatedWorkers({
    truth: () => this.truth(),
    flow: () => this.#flow,
    store: (...events) => this.#store(...events),
    choose: this.#choose,
    spending: this.#spending,
  });
  readonly #subPlans = new SimulatedSubPlans({
    store: (...events) => this.#store(...events),
    choose: this.#choose,
    spending: this.#spending,
  });
  /** The fold of the whole log, which no actor in the world has. */
  #truth: Plan = noPlan;
  readonly #reading = new LogReading();
  /** What the dispatcher knows: the fold of the log up to the message `#read`. */
  #owner: Plan = noPlan;
  readonly #ownerReading = new LogReading();
  /** The `after` of events that are stored now; undefined if their writer does not know what the dispatcher has read. */
  #after: number | undefined;
  #read = 0;
  /** The ids of decisions that the dispatcher has stored and not read back. */
  readonly #unread = new Set<string>();
  /** How many times users have controlled the plan, and how many of these the dispatcher knows of. */
  #flow = 0;
  #ownerFlow = 0;

  constructor({ goal, drafts = [], choices }: WorldOptions) {
    this.#thinkers = new SimulatedThinkers(
      {
        truth: () => this.truth(),
        store: (...events) => this.#store(...events),
        choose: this.#choose,
        spending: this.#spending,
      },
      drafts,
    );
    this.#choices = choices[Symbol.iterator]();
    this.#append(goal);
  }

  truth(): KnownPlan {
    return known(this.#truth);
  }

  hasEnded(): boolean {
    return this.#read === this.#messages.length && isEnded(this.truth());
  }

  act(): void {
    const kind = this.#choose(24);
    if (kind < 10) this.#goOn();
    else if (kind < 15) this.#resume(this.#choose(this.#activities.length));
    else if (kind < 16) this.#append(...(this.#messages[this.#choose(this.#messages.length)] ?? []));
    else if (kind < 18) this.#append(...Array.from({ length: 1 + this.#choose(3) }, () => this.#lateFact()));
    else if (kind < 19) this.#takeOver();
    else if (kind < 20) this.#askForFlow();
    else if (kind < 21) this.#redrive();
    else if (kind < 23) this.#sendHeld();
    else if (this.#choose(60) === 59) this.#append(cancelRequested());
  }

  /** Pauses or resumes, occasionally more often than there is something to pause or resume. */
  #askForFlow(): void {
    const { pause, pauses } = this.truth();
    const late = this.#choose(2);
    if (pause !== undefined) this.#append(resumeRequested(Math.max(1, pauses - late)));
    else if (this.#choose(8) < 7) this.#append(pauseRequested(Math.max(1, pauses + 1 - late)));
    else if (pauses > 0) this.#append(resumeRequested(pauses));
  }

  #goOn(): void {
    if (this.#read < this.#messages.length) this.#readOne();
    else if (this.#activities.length > 0) this.#resume(0);
    else if (this.#gate.size > 0) this.#sendHeld();
    else if (this.truth().pause !== undefined) this.#append(resumeRequested(this.truth().pauses));
    else assert.fail("nobody has anything left to do, and the plan has not ended");
  }

  /**
   * The dispatcher reads one message and carries out the commands that follow from each of its events, unless it dies on the way.
   */
  #readOne(): void {
    const message = this.#messages[this.#read++] ?? [];
    const later: (() => void)[] = [];
    let isKilled = false;
    for (const event of message) {
      const before = this.#owner;
      this.#ownerReading.add(event.id);
      this.#unread.delete(event.id);
      if (FLOW.has(event.type)) this.#ownerFlow += 1;
      this.#owner = checkedEvolve(before, event);
      if (isKilled || this.#owner === before || this.#owner.status === "absent") continue;
      this.#gate.heed(this.#owner);
      const commands = checkedDecide(before, this.#owner);
      isKilled = this.#choose(12) === 11;
      const done = isKilled ? commands.slice(0, this.#choose(commands.length + 1)) : commands;
      later.push(this.#begun(done, { isWhole: event === message.at(-1) }));
    }
    // It acts after reading the whole message; each event's decisions used the state at that event.
    for (const act of later) act();
    if (isKilled) this.#takeOver();
  }

  /**
   * Decides which of these commands are carried out in this turn. Returns functions that carry them out.
   *
   * @param options.isWhole - Whether the last message was read to its end.
   */
  #begun(commands: readonly Command[], { isWhole }: { readonly isWhole: boolean }): () => void {
    const owner = known(this.#owner);
    const others: Exclude<Command, RecordCommand>[] = [];
    const decisions: RecordCommand[] = [];
    for (const command of commands) {
      if (command.kind !== "record") {
        if (!this.#gate.holds(command)) others.push(command);
      } else if (!this.#unread.has(command.event.id)) decisions.push(command);
    }
    const ahead = this.#unread.size === 0 ? decideAhead(owner, decisions) : undefined;
    const { digest } = this.#ownerReading;
    const hasReadAll = isWhole && this.#read === this.#messages.length;
    for (const { event } of decisions) this.#unread.add(event.id);
    if (ahead !== undefined) this.#unread.add(ahead.event.id);
    return () => {
      for (const command of others) this.#execute(command);
      // It is stored only if nothing else was stored in between.
      const isStored = ahead !== undefined && hasReadAll && this.#choose(4) < 3;
      if (ahead !== undefined && !isStored) this.#unread.delete(ahead.event.id);
      this.#record(isStored ? [...decisions, ahead] : decisions, digest);
    };
  }

  /** A slot of a pool is free. */
  #sendHeld(): void {
    if (this.#gate.size === 0) return;
    for (const command of this.#gate.next(known(this.#owner))) {
      if (command.kind === "record") this.#record([command], this.#ownerReading.digest);
      else this.#execute(command);
    }
  }

  /** Another dispatcher takes over, which knows only the log. */
  #takeOver(): void {
    this.#owner = this.#truth;
    for (const { id } of this.#messages.slice(this.#read).flat()) this.#ownerReading.add(id);
    this.#gate.clear();
    this.#unread.clear();
    this.#ownerFlow = this.#flow;
    this.#read = this.#messages.length;
    this.#begun(decide(this.truth()), { isWhole: true })();
  }

  /** @param after - The `after` of the events that the actor stores. */
  #begin(activity: Activity, after: number | undefined): void {
    this.#activities.push({ activity, after });
  }

  /**
   * Stores decisions in one message, or in two; occasionally the dispatcher dies before the second one.
   *
   * @param after - How far the dispatcher had read.
   */
  #record(commands: readonly RecordCommand[], after: number): void {
    const isCut = commands.length > 1 && this.#choose(6) > 3;
    const end = isCut ? 1 + this.#choose(commands.length - 1) : commands.length;
    this.#recordTogether(commands.slice(0, end), after);
    if (end === commands.length) return;
    if (this.#choose(4) === 3) this.#takeOver();
    else this.#recordTogether(commands.slice(end), after);
  }

  #recordTogether(commands: readonly RecordCommand[], after: number): void {
    for (const command of commands) this.#noteCommand(command);
    if (commands.length === 0) return;
    const isNew = this.#store(...commands.map(({ event }) => ({ ...event, after, at: this.#now() })));
    for (const { event } of isNew ? commands : []) {
      if (event.type === "approval.requested") this.#begin(this.#ask(event.data.approvalId), undefined);
    }
  }

  #noteCommand(command: Command): string {
    const id = idOf(command);
    const purpose = purposeOf(command);
    assert.equal(this.#purposes.get(id) ?? purpose, purpose, `${id} is used for two purposes`);
    this.#purposes.set(id, purpose);
    return id;
  }

  #execute(command: Exclude<Command, RecordCommand>): void {
    const id = this.#noteCommand(command);
    // At most one message for each subject and id, ever: also after its worker has acknowledged it.
    if (command.kind === "stop" || this.#commanded.has(id)) return;
    const allowance = "work" in command ? command.work.allowance : undefined;
    this.#commanded.set(id, allowance);
    const after = this.#ownerReading.digest;
    if (command.kind === "run") {
      const { stepId, item, attempt, undo } = command.work;
      if (undo !== true) this.#commanded.set(`p1/${stepId}/${item}/${attempt}`, allowance);
      return this.#begin(this.#workers.work(command.work, this.#ownerFlow), after);
    }
    if (command.kind === "unit") return this.#begin(this.#workers.unit(command.work), after);
    if (command.kind === "sub-plan") this.#begin(this.#subPlans.live(command), undefined);
    else if (command.kind === "draft") this.#begin(this.#thinkers.draft(command.work), after);
    else if (command.kind === "review") this.#begin(this.#thinkers.review(command.work), after);
    else if (command.kind === "critique") this.#begin(this.#thinkers.critique(command.work), after);
    else if (command.kind === "join") this.#begin(this.#thinkers.join(command.work), after);
    else if (command.kind === "process") this.#begin(this.#thinkers.process(command.work), after);
    else this.#begin(this.#fire(command.event), undefined);
  }

  /** A person who decides once, and then a second time. */
  *#ask(approvalId: string): Activity {
    yield;
    for (let times = 0; times < 2; times++) {
      const approval = this.truth().approvals.get(approvalId);
      const choices = approval === undefined ? ["approve"] : choicesOf(approval);
      const decision = choices[this.#choose(choices.length)] ?? "reject";
      const isEdited = decision === "approve" && this.#choose(4) === 3;
      const more = isEdited && approval !== undefined ? editsOf(this.truth(), approval, this.#choose) : {};
      this.#store(named(`decision ${approvalId}`, approvalDecided(approvalId, decision, more)));
      yield;
    }
  }

  *#fire(fired: Unstamped<PlanEvent>): Activity {
    yield;
    this.#store({ ...fired, at: this.#now() });
  }

  #lateFact(): PlanEvent {
    return lateFact({
      truth: () => this.truth(),
      choose: this.#choose,
      commanded: this.#commanded,
      hasRun: (id) => this.#workers.hasRun(id),
      seen: this.log.length,
    });
  }

  /** A user who retries a dead-lettered step, perhaps long after they saw it. */
  #redrive(): void {
    const givenUpOnes = this.log.filter(
      ({ type, data }) =>
        type === "step.failed" && "error" in data && data.error.code === DELIVERIES_EXHAUSTED,
    );
    const seen = givenUpOnes[this.#choose(givenUpOnes.length)];
    if (seen?.type !== "step.failed") return;
    const { stepId, item, attempt } = seen.data;
    this.#store(named(`redrive ${stepId} ${item} ${attempt}`, redriveRequested(stepId, attempt, item)));
  }

  /** The first message with these events wins, as the log's expectations and duplicate window ensure. */
  #store(...events: PlanEvent[]): boolean {
    const id = events.map((event) => event.id).join(" ");
    if (this.#storedIds.has(id)) return false;
    this.#storedIds.add(id);
    const after = this.#after === undefined ? {} : { after: this.#after };
    this.#append(...events.map((event) => ({ ...event, ...after })));
    return true;
  }

  /** Stores one message. */
  #append(...events: PlanEvent[]): void {
    const from = this.log.length;
    for (const event of events) this.#appendOne(event);
    if (events.length > 0) this.#messages.push(this.log.slice(from));
  }

  #appendOne(event: PlanEvent): void {
    this.log.push({ ...event, at: this.#now() });
    if (FLOW.has(event.type)) this.#flow += 1;
    assert.equal(
      this.#reading.missingBefore(this.#truth, event),
      undefined,
      `${event.type} of a whole log shows that something is missing; ${JSON.stringify(event.data)}`,
    );
    this.#reading.add(event.id);
    this.#truth = checkedEvolve(this.#truth, this.log.at(-1) ?? event);
    if (this.#truth.status !== "absent") this.#spending.check(this.#truth);
  }

  #resume(index: number): void {
    const resumed = this.#activities[index];
    if (resumed === undefined) return this.#goOn();
    this.#after = resumed.after;
    if (resumed.activity.next().done === true) this.#activities.splice(index, 1);
    this.#after = undefined;
  }

  #now(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.log.length * 1_000).toISOString();
  }
}
