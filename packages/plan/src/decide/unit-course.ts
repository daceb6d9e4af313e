/** How a worker runs the steps of a unit: each starts when its dependencies have succeeded. */
import type { StepOutput } from "../events/values.ts";
import type { StepWork, UnitStep, UnitWork } from "../events/work.ts";
import { resolveWithOutputs } from "../arguments/resolve-arguments.ts";
import { resolvedOutput } from "../machine/links/standing.ts";
import type { StepId } from "../values/ids.ts";
import type { JsonObject } from "../values/json.ts";

export class UnitCourse {
  readonly #work: UnitWork;
  readonly #outputs: Map<StepId, StepOutput>;
  /** Steps that have not been handed out, with the number of dependencies that have not succeeded. */
  readonly #waiting = new Map<StepId, { readonly step: UnitStep; unmet: number }>();
  readonly #dependents = new Map<StepId, StepId[]>();
  readonly #ready: UnitStep[] = [];

  constructor(work: UnitWork) {
    this.#work = work;
    this.#outputs = new Map(work.outputs.map(({ stepId, output }) => [stepId, output]));
    for (const step of work.steps) {
      if (step.needs.length === 0) this.#ready.push(step);
      else this.#waiting.set(step.stepId, { step, unmet: step.needs.length });
      for (const needed of step.needs) {
        const dependents = this.#dependents.get(needed);
        if (dependents === undefined) this.#dependents.set(needed, [step.stepId]);
        else dependents.push(step.stepId);
      }
    }
  }

  /** Whether any steps have not been handed out. */
  get isLeft(): boolean {
    return this.#ready.length > 0 || this.#waiting.size > 0;
  }

  /** Hands out a step that can start now. A step whose arguments cannot be resolved stays: the dispatcher records why. */
  take(): StepWork | undefined {
    for (let step = this.#ready.shift(); step !== undefined; step = this.#ready.shift()) {
      const args = this.#argumentsOf(step);
      if (args !== undefined) return this.#workOf(step, args);
      this.#waiting.set(step.stepId, { step, unmet: 1 });
    }
    return undefined;
  }

  /** Records that a step succeeded. Dependents of a step that does not succeed never become ready. */
  succeeded(stepId: StepId, output: StepOutput): void {
    this.#outputs.set(stepId, output);
    for (const dependent of this.#dependents.get(stepId) ?? []) {
      const waiting = this.#waiting.get(dependent);
      if (waiting === undefined) continue;
      waiting.unmet -= 1;
      if (waiting.unmet > 0) continue;
      this.#waiting.delete(dependent);
      this.#ready.push(waiting.step);
    }
  }

  #argumentsOf({ args, needs }: UnitStep): JsonObject | undefined {
    if (needs.length === 0) return args;
    const resolved = resolveWithOutputs(args, (stepId) => {
      const output = this.#outputs.get(stepId);
      return output === undefined ? undefined : resolvedOutput(output);
    });
    return "fault" in resolved ? undefined : resolved.args;
  }

  #workOf({ needs: _needs, ...step }: UnitStep, args: JsonObject): StepWork {
    const { steps: _steps, outputs: _outputs, ...work } = this.#work;
    return {
      ...work,
      ...step,
      args,
      item: 0,
      attempt: 1,
      sentAfter: 0,
      effect: "read",
    };
  }
}
