/** Invariants of a plan's budget after every event: BUDGET-1 and BUDGET-2. */
import { critiqueHolder } from "../src/machine/review/critique-state.ts";
import { reviewHolder } from "../src/machine/review/review-state.ts";
import assert from "node:assert/strict";
import type { Allowance } from "../src/language/budget.ts";
import type { Usage } from "../src/events/values.ts";
import { PLAN_RUN } from "../src/language/tool-names.ts";
import { freeOf, holderOf, isMetered } from "../src/machine/budget/budget-ledger.ts";
import { processHolder } from "../src/machine/knowledge.ts";
import { isSharer } from "../src/machine/budget/budget-shares.ts";
import type { KnownPlan } from "../src/machine/plan-state.ts";
import { allRuns, nameOf } from "../src/machine/step/runs.ts";

/** The reserves are those of the work in flight, and add up (BUDGET-2). */
export function checkBudget(plan: KnownPlan): void {
  const { budget } = plan;
  if (budget === undefined) return;
  const held = { tokens: 0, nanoUsd: 0 };
  for (const { tokens, nanoUsd } of budget.reserves.values()) {
    held.tokens += tokens;
    held.nanoUsd += nanoUsd;
  }
  assert.deepEqual(budget.reserved, held, "what is reserved is the sum of the reserves");
  const holders = new Set(budget.reserves.keys());
  for (const entry of allRuns(plan)) {
    const { step, grant, state } = entry;
    if (state.status === "reviewing" && state.for === undefined) {
      const { attempt, review } = state;
      const holder = reviewHolder({ stepId: step.id, attempt, review });
      assert.equal(holders.delete(holder), isMetered(budget), `${holder} is judged without its reserve`);
    }
    if (state.status !== "running") continue;
    const holder = holderOf.step({ ...nameOf(entry), attempt: state.attempt });
    if (step.tool === PLAN_RUN) {
      assert.equal(holders.has(holder), isSharer(budget, step.tool), `${holder} runs without its share`);
      holders.delete(holder);
      continue;
    }
    const isMeteredStep: boolean =
      isMetered(budget) && grant.modelTokens !== undefined && grant.effect !== "once";
    assert.equal(holders.delete(holder), isMeteredStep, `${holder} runs without its reserve`);
  }
  for (const run of plan.subPlans.values()) holders.delete(holderOf.step(run));
  holders.delete(holderOf.draft(plan.drafting.number));
  if (plan.critique !== undefined) holders.delete(critiqueHolder(plan.critique));
  holders.delete(holderOf.join(plan.joining.number));
  for (const output of plan.knowledge.processing.values()) holders.delete(processHolder(output));
  assert.deepEqual([...holders], [], "reserves of work that is over");
  if (budget.limit.steps !== undefined) assert.ok(budget.stepsSent <= budget.limit.steps);
}

/** A number from 0 to `options - 1`. */
export type Choose = (options: number) => number;
type Report = { usage: Usage; forfeited?: { tokens: number; usd: number } };

/** The model's server in a simulated world: counts the true usage, whether or not it is ever reported. */
export class TrueSpending {
  readonly #sent = new Set<string>();
  #tokens = 0;
  #usd = 0;

  /** A worker has received an attempt. */
  send(id: string): void {
    this.#sent.add(id);
  }

  /** Uses some of an allowance. Returns what the worker would report if it survived. */
  use(allowance: Allowance | undefined, choose: Choose): Report {
    if (allowance === undefined) return { usage: usageOf(12, 0.5) };
    const share = choose(4) / 3;
    const tokens = Math.floor((allowance.maxTokens ?? 1_000) * share);
    const usd = (allowance.maxUsd ?? 0) * share;
    this.#tokens += tokens;
    this.#usd += usd;
    if (choose(4) < 3) return { usage: usageOf(tokens, usd) };
    // A call broke off: it used at most everything that was left.
    const counted = { tokens: Math.floor(tokens / 2), usd: usd / 2 };
    const forfeited = {
      tokens: (allowance.maxTokens ?? tokens) - counted.tokens,
      usd: (allowance.maxUsd ?? usd) - counted.usd,
    };
    return { usage: usageOf(counted.tokens, counted.usd), forfeited };
  }

  /** The plan's own count is never less than the truth, and never more than the limit (BUDGET-1). */
  check(plan: KnownPlan): void {
    const { budget } = plan;
    if (budget === undefined) return;
    const { tokens = Infinity, nanoUsd = Infinity, steps = Infinity } = budget.limit;
    assert.ok(this.#sent.size <= steps, "more steps are sent than the budget has");
    assert.ok(this.#tokens <= tokens, `${this.#tokens} tokens were used of ${tokens}`);
    assert.ok(this.#usd * 1e9 <= nanoUsd + 100, `${this.#usd} dollars were used of ${nanoUsd / 1e9}`);
    // The usage of compensations counts too, and may exceed the rest of the budget.
    if (plan.compensations !== undefined) return;
    const free = freeOf(budget);
    assert.ok(free.tokens >= 0, `${-free.tokens} tokens too many are used and reserved`);
    assert.ok(free.nanoUsd >= 0, `${-free.nanoUsd} billionths of a dollar too many are used and reserved`);
    if (isMetered(budget) && budget.limit.tokens !== undefined) {
      const { used, forfeited, reserved } = budget;
      assert.ok(this.#tokens <= used.tokens + forfeited.tokens + reserved.tokens, "tokens were used unseen");
    }
  }
}

function usageOf(tokens: number, costUsd: number): Usage {
  const inputTokens = Math.floor(tokens / 3);
  return { modelCalls: 1, inputTokens, outputTokens: tokens - inputTokens, costUsd };
}
