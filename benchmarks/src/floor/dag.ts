/** One step of a workload's shape; `after` names earlier ones. */
export type DagStep = { readonly id: string; readonly after: readonly string[]; readonly waitMs?: number };

/**
 * Runs steps as promises, each as soon as its predecessors are done, as a program without durability would.
 *
 * @throws {RangeError} When a step names a predecessor that is not earlier in the list.
 */
export async function runDag(
  steps: readonly DagStep[],
  run: (step: DagStep) => Promise<unknown>,
): Promise<void> {
  const done = new Map<string, Promise<unknown>>();
  for (const step of steps) {
    const inputs = step.after.map((id) => {
      const input = done.get(id);
      if (input === undefined) throw new RangeError(`${step.id} comes after ${id}, which is not before it`);
      return input;
    });
    done.set(step.id, inputs.length === 0 ? run(step) : Promise.all(inputs).then(() => run(step)));
  }
  await Promise.all(done.values());
}
