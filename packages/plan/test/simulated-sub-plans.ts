/** Sub-plans of a simulated world: each uses some of its budget, and reports its end to its parent once. */
import type { SubPlanCommand } from "../src/decide/command.ts";
import { failed, succeeded } from "./facts.ts";
import { type Activity, named, type WorkersWorld } from "./simulated-worker.ts";

type SubPlansWorld = Pick<WorkersWorld, "store" | "choose" | "spending">;

export class SimulatedSubPlans {
  readonly #spent = new Map<string, object>();
  readonly #world: SubPlansWorld;

  constructor(world: SubPlansWorld) {
    this.#world = world;
  }

  /** It runs until it ends by itself, or because it was stopped. */
  *live({ submission, control }: SubPlanCommand): Activity {
    const { planId, data, fault } = submission;
    const { parent, budget } = data;
    if (parent === undefined) throw new Error(`${planId} is no sub-plan`);
    const { stepId, item, attempt } = parent;
    yield;
    if (fault !== undefined && !this.#spent.has(planId)) {
      const error = { ...fault, retryable: false };
      this.#world.store(
        named(`p1/${stepId}/${item}/${attempt}/done`, failed(stepId, attempt, { item, error, stepsSent: 0 })),
      );
      return;
    }
    const spent = this.#spent.get(planId) ?? this.#spend(planId, budget);
    this.#spent.set(planId, spent);
    yield;
    const kind = control === undefined ? this.#world.choose(6) : 5;
    const value = { text: "so", status: "success", planId };
    const failures = {
      4: { error: { code: "sub_plan_failed", message: "it failed" }, retryable: true },
      5: { error: { code: "sub_plan_cancelled", message: "it was cancelled" }, retryable: false },
    } as const;
    const end =
      kind === 4 || kind === 5
        ? failed(stepId, attempt, { ...spent, item, ...failures[kind] })
        : succeeded(stepId, value, attempt, { ...spent, item });
    this.#world.store(named(`p1/${stepId}/${item}/${attempt}/done`, end));
  }

  #spend(planId: string, budget: SubPlanCommand["submission"]["data"]["budget"]): object {
    const { tokens: maxTokens, usd: maxUsd, steps } = budget ?? {};
    const stepsSent = this.#world.choose((steps ?? 3) + 1);
    for (let step = 0; step < stepsSent; step++) this.#world.spending.send(`${planId}/${step}`);
    const isMetered = maxTokens !== undefined || maxUsd !== undefined;
    const allowance = isMetered ? { maxTokens, maxUsd } : undefined;
    return { ...this.#world.spending.use(allowance, this.#world.choose), stepsSent };
  }
}
