/** Invariants of a plan's loops for any log, derived from the log and from the plan's state. */
import type { PlanEvent } from "../src/events/plan-event.ts";
import { accepts, evolve } from "../src/machine/evolve.ts";
import { callToken } from "../src/values/call-name.ts";
import { noPlan, type KnownPlan, type Plan } from "../src/machine/plan-state.ts";
import { allRuns, itemOf, runOf } from "../src/machine/step/runs.ts";

/**
 * Returns descriptions of the violations; empty when all invariants hold.
 *
 *   - The outcomes of a loop are the first ones in its log, each once, in the order of the calls (TURN-2, TURN-4).
 *   - A call that changes something starts only after every earlier call has finished, and never after its own end (TURN-3).
 *   - No turn starts before the calls of the previous turn have finished (TURN-5).
 */
export function brokenLoops(log: readonly PlanEvent[], plan: KnownPlan): string[] {
  const { first, faults } = readLog(log);
  const runs = Array.from(allRuns(plan)).filter(
    ({ step, item }) => step.forEach === undefined || item !== undefined,
  );
  const loops = runs.map((run) => ({ name: `${run.step.id}/${itemOf(run)}`, run }));
  return loops.reduce((found, { name, run: { turns = [] } }) => {
    const shown = turns.map((turn) => ({ id: `${name}/${callToken(turn)}`, turn }));
    const order = shown.map(({ turn }) => turn.turn * 100 + (turn.call ?? 0));
    if (order.some((place, index) => index > 0 && place <= (order[index - 1] ?? 0))) {
      found.push(`the outcomes of ${name} are out of order: ${order.join(", ")}`);
    }
    const lost = [...first].filter(
      ([id]) => id.startsWith(`${name}/`) && !shown.some((one) => one.id === id),
    );
    found.push(...lost.map(([id]) => `the outcome of ${id} is lost`));
    const other = shown.filter(({ id, turn }) => JSON.stringify(turn.output) !== first.get(id));
    return found.concat(other.map(({ id }) => `the outcome of ${id} is not the first`));
  }, faults);
}

function readLog(log: readonly PlanEvent[]): { first: Map<string, string | undefined>; faults: string[] } {
  const first = new Map<string, string | undefined>();
  const faults: string[] = [];
  let plan: Plan = noPlan;
  for (const event of log) {
    const before = plan;
    const isAccepted = accepts(before, event);
    plan = evolve(before, event);
    if (!isAccepted || before.status === "absent") continue;
    if (event.type === "turn.taken") first.set(idOf(event.data), JSON.stringify(event.data.output));
    if (event.type === "call.started") {
      const { turn, call = 1, stepId, item } = event.data;
      const over = runOf(before, event.data)?.turns?.filter((one) => one.turn === turn) ?? [];
      const earlier = over.filter((one) => (one.call ?? 0) < call);
      if (first.has(idOf(event.data))) faults.push(`${idOf(event.data)} begins after it is over`);
      if (event.data.call !== undefined && earlier.length !== call - 1) {
        faults.push(`${stepId}/${item} begins call ${call} of turn ${turn} after ${earlier.length} calls`);
      }
    }
    if (event.type === "turn.started" && runOf(before, event.data)?.openTurn !== undefined) {
      faults.push(`turn ${event.data.turn} of ${event.data.stepId} begins in the middle of another`);
    }
  }
  return { first, faults };
}

function idOf(data: { stepId: string; item: number; turn: number; call?: number | undefined }): string {
  return `${data.stepId}/${data.item}/${callToken(data)}`;
}
