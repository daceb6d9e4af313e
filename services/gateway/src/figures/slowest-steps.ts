/**
 * The slowest single steps of some plans.
 *
 * The projection holds the longest duration for each tool of a plan, but not which step it was. So each of the slowest `count`
 * steps belongs to one of the `count` rows with the longest durations, and only those plans are read, from memory, the log or the
 * archive.
 */
import type { SlowStep } from "@planwright/api";
import {
  allRuns,
  itemOf,
  type KnownPlan,
  PLAN_RUN,
  PlanId,
  type StepEntry,
  subPlanId,
} from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";

const GOAL_CHARS_MAX = 200;
/** The maximum number of plans to read for each plan: itself and its sub-plans. */
const PLANS_READ_MAX = 100;

/** The longest step of a tool in one plan. */
export type SlowTool = { readonly sequence: number; readonly tool: string; readonly longestMs: number };

export type FindPlan = (planId: PlanId) => Promise<KnownPlan | undefined>;

/** Keeps the rows with the longest durations. */
export class SlowTools {
  readonly #count: number;
  #rows: readonly SlowTool[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  add(rows: readonly SlowTool[]): void {
    this.#rows = [...this.#rows, ...rows].toSorted((a, b) => b.longestMs - a.longestMs).slice(0, this.#count);
  }

  /** Reads the plans. Plans that no longer exist are left out. */
  async steps(database: DatabaseSync, find: FindPlan): Promise<SlowStep[]> {
    const idOf = database.prepare("SELECT id FROM plans WHERE sequence = ?");
    const found: SlowStep[] = [];
    for (const [sequence, rows] of Map.groupBy(this.#rows, (row) => row.sequence)) {
      const id = idOf.get(sequence)?.["id"];
      if (id === undefined) continue;
      const tools = new Set(rows.map(({ tool }) => tool));
      for await (const plan of withSubPlans(PlanId.parse(id), find)) found.push(...slowIn(plan, tools));
    }
    return found.toSorted(bySlowness).slice(0, this.#count);
  }
}

/** A plan, its sub-plans, and theirs. */
async function* withSubPlans(planId: PlanId, find: FindPlan): AsyncGenerator<KnownPlan> {
  const waiting = [planId];
  for (let read = 0; read < PLANS_READ_MAX; read++) {
    const next = waiting.shift();
    if (next === undefined) return;
    const plan = await find(next);
    if (plan === undefined) continue;
    for (const run of allRuns(plan)) waiting.push(...childrenOf(next, run));
    yield plan;
  }
}

/** The sub-plans that the attempts of a step handed their work to. */
function childrenOf(planId: PlanId, run: StepEntry): PlanId[] {
  const { step, state } = run;
  if (step.tool !== PLAN_RUN || !("attempt" in state)) return [];
  const { id: stepId } = step;
  return Array.from({ length: state.attempt }, (_, before) =>
    subPlanId(planId, { stepId, item: itemOf(run), attempt: before + 1 }),
  );
}

function slowIn(plan: KnownPlan, tools: ReadonlySet<string>): SlowStep[] {
  const goal = plan.goal.goal.slice(0, GOAL_CHARS_MAX);
  return [...allRuns(plan)].flatMap((run) => {
    const { state, step, item } = run;
    if (!tools.has(step.tool) || (state.status !== "succeeded" && state.status !== "failed")) return [];
    if (isList(run)) return [];
    const failed = state.status === "failed";
    return [
      {
        planId: plan.planId,
        goal,
        stepId: step.id,
        ...(item === undefined ? {} : { item: itemOf(run) }),
        tool: step.tool,
        durationMs: state.durationMs,
        failed,
      },
    ];
  });
}

/** Whether the entry is a list step. A list step does not count as a step; its items do. */
function isList({ step, item }: StepEntry): boolean {
  return step.forEach !== undefined && item === undefined;
}

function bySlowness(a: SlowStep, b: SlowStep): number {
  const byPlace = a.planId.localeCompare(b.planId) || a.stepId.localeCompare(b.stepId);
  return b.durationMs - a.durationMs || byPlace || (a.item ?? 0) - (b.item ?? 0);
}
