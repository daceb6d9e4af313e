/** Steps as they are drafted: numbered in order, without duplicates, with the dependencies that their references imply. */

export type PlannedStep = {
  readonly id: string;
  readonly description: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
  readonly successCriteria: string | null;
  readonly expectedOutput: string | null;
};

type StepDraft = Pick<PlannedStep, "description" | "tool" | "args" | "expectedOutput">;

export type StepList = {
  readonly steps: readonly PlannedStep[];
  /** The id of the next new step. */
  nextId(): string;
  /** Adds a step, or finds an identical one; returns its id. */
  add(step: StepDraft): string;
};

/** @param firstNumber - The number of the first step's id, such as 1 for `s1`. */
export function createStepList(firstNumber: number): StepList {
  const steps: PlannedStep[] = [];
  const nextId = () => `s${firstNumber + steps.length}`;
  return {
    steps,
    nextId,
    add(step) {
      const key = JSON.stringify([step.tool, step.args]);
      const same = steps.find(({ tool, args }) => JSON.stringify([tool, args]) === key);
      if (same !== undefined) return same.id;
      const id = nextId();
      const earlier = new Set(steps.map((known) => known.id));
      const dependsOn = stepsReferredTo(step.args).filter((known) => earlier.has(known));
      steps.push({ id, ...step, dependsOn, successCriteria: null });
      return id;
    },
  };
}

/** The step ids in `{"$ref": "s1.output…"}` and `{{s1.output…}}`, each once. */
function stepsReferredTo(args: unknown): readonly string[] {
  const text = JSON.stringify(args);
  const found = text.matchAll(/"\$ref":"(s\d+)\.|\{\{(s\d+)\./g);
  return [...new Set([...found].map((match) => match[1] ?? match[2] ?? ""))];
}
