/**
 * Loops inside steps of a simulated world: they call tools turn by turn, as in the executor; see
 * services/executor/src/steps/tool-desk.ts. A call may act only as often as it was approved.
 */
import assert from "node:assert/strict";
import { callToken, type CallName } from "../src/values/call-name.ts";
import { attemptName } from "../src/events/values.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { isWorkWanted } from "../src/decide/is-work-wanted.ts";
import { begunCall } from "../src/machine/loop/call-ledger.ts";
import {
  callsToMake,
  comesNext,
  isAwaited,
  type MissingCall,
  missingCalls,
  turnNumber,
} from "../src/machine/loop/loop-calls.ts";
import type { StepEntry } from "../src/machine/plan-state.ts";
import { runOf } from "../src/machine/step/runs.ts";
import type { StepWork } from "../src/events/work.ts";
import { failed, loopFact } from "./facts.ts";
import type { WorkersWorld } from "./simulated-worker.ts";

type LoopsWorld = Pick<WorkersWorld, "truth" | "flow" | "store" | "choose">;

/** `ended`: the attempt has its outcome, or needs none. */
export type LoopEnd = "finished" | "ended" | "died";

const ARGS = { to: "bob" };
const ASKED = { thought: "so", tool: "mail.send", args: ARGS };
const READ = { tool: "docs.search", args: { query: "bob" } };
const LOST = "its worker died";

export class SimulatedLoops {
  readonly #world: LoopsWorld;
  /** How often the call of a turn has acted. */
  readonly #acts = new Map<string, number>();

  constructor(world: LoopsWorld) {
    this.#world = world;
  }

  /** The turns of one attempt. @param spent - The usage that it reports if it ends with a request for a decision. */
  *run(work: StepWork, spent: object): Generator<undefined, LoopEnd> {
    const more = this.#world.choose(4);
    for (let taken = 0; ; taken++) {
      const run = runOf(this.#world.truth(), work);
      if (run === undefined) return "ended";
      const isPending = begunCall(run) !== undefined || leaveOf(run) !== undefined;
      const missing = missingCalls(run);
      if (!isPending && missing.length === 0 && (taken >= more || turnNumber(run) > 8)) return "finished";
      const end = yield* isPending
        ? this.#goOn(work, run, spent)
        : missing.length > 0
          ? this.#makeMissing(work, missing, spent)
          : this.#think(work, turnNumber(run), spent);
      if (end !== "finished") return end;
    }
  }

  /** Continues with a call that was started, or that a person has decided about. */
  *#goOn(work: StepWork, run: StepEntry, spent: object): Generator<undefined, LoopEnd> {
    const begun = begunCall(run);
    const leave = leaveOf(run);
    const name = nameOf(begun ?? leave?.call ?? { turn: turnNumber(run) });
    const isNews =
      leave !== undefined && (leave.call.doubt === undefined || begun?.leave !== leave.approvalId);
    if (!isWorkWanted(this.#world.truth(), work)) return "ended";
    if (isNews && !(leave.call.doubt === undefined && begun !== undefined)) {
      if (leave.output !== undefined)
        return yield* this.#take(work, name, { output: { value: leave.output } });
      if (leave.args === undefined) return yield* this.#take(work, name, refusal(leave.rejected));
      const again = leave.call.doubt === undefined ? undefined : leave.approvalId;
      return yield* this.#act(work, name, { spent, leave: again });
    }
    return yield* this.#findOut(work, name, spent);
  }

  /** The model requests one call, or several in one turn. */
  *#think(work: StepWork, turn: number, spent: object): Generator<undefined, LoopEnd> {
    if (this.#world.choose(3) !== 2) {
      const kind = this.#world.choose(4);
      if (kind === 0) return yield* this.#take(work, { turn }, { output: { value: turn } });
      return yield* this.#makeAlone(work, { turn }, { spent, asks: kind === 1 });
    }
    const count = 2 + this.#world.choose(3);
    const calls = Array.from({ length: count }, () => (this.#world.choose(3) === 2 ? ASKED : READ));
    yield;
    this.#store("turn", work, { turn }, loopFact("turn.started", work, { turn, thought: "so", calls }));
    const run = runOf(this.#world.truth(), work);
    const isLost = run !== undefined && isWorkWanted(this.#world.truth(), work) && isAwaited(run, { turn });
    assert.ok(!isLost, `turn ${turn} of ${work.stepId} has begun, and the loop does not see it`);
    return "finished";
  }

  /** Makes the calls of the current turn that can be made now. The worker may die after some of them. */
  *#makeMissing(
    work: StepWork,
    missing: readonly MissingCall[],
    spent: object,
  ): Generator<undefined, LoopEnd> {
    const now = callsToMake(missing, ({ tool }) => tool === ASKED.tool);
    const [first] = now;
    if (first?.tool === ASKED.tool) {
      return yield* this.#makeAlone(work, nameOf(first), { spent, asks: this.#world.choose(3) === 2 });
    }
    // They return in any order.
    for (const { turn, call } of this.#world.choose(2) === 1 ? now.toReversed() : now) {
      if (this.#world.choose(12) === 11) return "died";
      if (!isWorkWanted(this.#world.truth(), work)) return "ended";
      yield* this.#take(work, { turn, call }, { ...READ, output: { value: call } });
    }
    return "finished";
  }

  *#makeAlone(
    work: StepWork,
    name: CallName,
    { spent, asks }: { readonly spent: object; readonly asks: boolean },
  ): Generator<undefined, LoopEnd> {
    return asks ? this.#ask(work, name, { spent }) : yield* this.#act(work, name, { spent });
  }

  /** Records the start of the call, unless the plan's flow has changed, and makes it if no other worker has begun it. */
  *#act(
    work: StepWork,
    name: CallName,
    { spent, leave }: { readonly spent: object; readonly leave?: string | undefined },
  ): Generator<undefined, LoopEnd> {
    for (;;) {
      const flow = this.#world.flow();
      const plan = this.#world.truth();
      const run = runOf(plan, work);
      if (run === undefined || !isWorkWanted(plan, work) || !comesNext(run, name)) return "ended";
      const begun = begunCall(run);
      if (begun !== undefined && (leave === undefined || begun.leave === leave)) break;
      yield;
      if (flow !== this.#world.flow()) continue;
      const said = { ...ASKED, ...name, leave, effect: "once" };
      if (!this.#store(`call/${leave ?? ""}`, work, name, loopFact("call.started", work, said))) break;
      this.#countAct(work, name);
      return yield* this.#afterActing(work, name, spent);
    }
    return yield* this.#findOut(work, name, spent);
  }

  *#afterActing(work: StepWork, name: CallName, spent: object): Generator<undefined, LoopEnd> {
    const kind = this.#world.choose(6);
    yield;
    if (kind === 5) return "died";
    if (kind === 4) {
      this.#ask(work, name, { spent, doubt: LOST });
      if (this.#world.choose(3) < 2) return "ended";
      yield;
      // The worker that was presumed dead is still running.
      yield* this.#take(work, name, { output: { value: callToken(name) } });
      return "ended";
    }
    if (kind === 3) {
      // The worker stalled, and its attempt is abandoned in the meantime.
      const { stepId, item, attempt } = work;
      this.#end(work, failed(stepId, attempt, { ...spent, item, retryable: true }));
      yield;
      yield* this.#take(work, name, { output: { value: callToken(name) } });
      return "ended";
    }
    return yield* this.#take(work, name, kind === 2 ? refusal("no") : { output: { value: callToken(name) } });
  }

  /** The target reports whether the call took effect, or its outcome stays unknown. */
  *#findOut(work: StepWork, name: CallName, spent: object): Generator<undefined, LoopEnd> {
    if (this.#world.choose(3) === 2) return this.#ask(work, name, { spent, doubt: LOST });
    return yield* this.#take(work, name, { output: { value: callToken(name) } });
  }

  /** Only the first turn with a given number is stored; a second worker continues after it. */
  *#take(work: StepWork, name: CallName, came: object): Generator<undefined, LoopEnd> {
    yield;
    this.#store("turn", work, name, loopFact("turn.taken", work, { ...ASKED, ...name, ...came }));
    const plan = this.#world.truth();
    const run = runOf(plan, work);
    const isLost = run !== undefined && isWorkWanted(plan, work) && isAwaited(run, name);
    assert.ok(
      !isLost,
      `call ${callToken(name)} of ${work.stepId} is in the log, and the loop does not see it`,
    );
    return "finished";
  }

  #ask(
    work: StepWork,
    name: CallName,
    { spent, doubt }: { readonly spent: object; readonly doubt?: string },
  ): LoopEnd {
    const call = { ...ASKED, ...name, risk: "high", doubt };
    const ended = { startedAt: "2026-01-01T00:00:00Z", durationMs: 1 };
    this.#end(work, loopFact("step.asked", work, { ...spent, ...ended, call }));
    return "ended";
  }

  #end(work: StepWork, event: PlanEvent): void {
    this.#world.store({ ...event, id: `p1/${attemptName(work)}/done` });
  }

  #store(what: string, { stepId, item }: StepWork, name: CallName, event: PlanEvent): boolean {
    return this.#world.store({ ...event, id: `p1/${stepId}/${item}/${what}/${callToken(name)}` });
  }

  /** Once without an approval, and once more for each approval. */
  #countAct({ stepId, item }: StepWork, name: CallName): void {
    const id = `${stepId}/${item}/${callToken(name)}`;
    const acts = (this.#acts.get(id) ?? 0) + 1;
    this.#acts.set(id, acts);
    const leaves = this.#world.truth().approvals.filter((approval) => {
      const isOfIt = approval.approvalId.startsWith(`call-${stepId}-${item}-${callToken(name)}-`);
      return isOfIt && approval.decided?.decision === "run-again";
    });
    assert.ok(acts <= 1 + leaves.size, `call ${id} has acted ${acts} times, with leave ${leaves.size} times`);
  }
}

function nameOf({ turn, call }: CallName): CallName {
  return call === undefined ? { turn } : { turn, call };
}

/** The decision about the next call. */
function leaveOf(run: StepEntry) {
  return run.leave !== undefined && comesNext(run, run.leave.call) ? run.leave : undefined;
}

function refusal(message = "rejected"): object {
  return { error: { code: "approval_rejected", message } };
}
