/**
 * Whole systems that the test files of one process use one after the other: starting one costs seconds of processor time, and
 * most files neither need another configuration nor an empty list of plans.
 */
import { TEST_RUN_STARTS } from "../run/test-run.ts";
import type { TestSystem } from "./start-system.ts";

/** A system, and what belongs to it: its model. */
export type Stage = AsyncDisposable & { readonly system: TestSystem };

const IDLE = new Map<string, Stage[]>();

/**
 * Lends a stage to one test file. Disposing what it returns restores the system (see {@link TestSystem.restore}) and keeps it for the next
 * file of this process that asks for the same key; one that cannot be restored ends. Outside a test run it ends as well.
 *
 * @param start - Starts one, when none is free.
 * @param reset - Makes ready again what belongs to the system. An error of it fails the file.
 */
export async function lendStage<Lent extends Stage>(
  key: string,
  start: () => Promise<Lent>,
  reset: (stage: Lent) => void = () => undefined,
): Promise<Lent> {
  // A key stands for one type of stage: whoever starts them under it.
  const stage = (IDLE.get(key)?.pop() as Lent | undefined) ?? (await start());
  let isReturned = false;
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      if (isReturned) return;
      isReturned = true;
      if (process.env[TEST_RUN_STARTS] === undefined) return stage[Symbol.asyncDispose]();
      try {
        reset(stage);
        await stage.system.restore();
      } catch (error) {
        await stage[Symbol.asyncDispose]();
        throw error;
      }
      IDLE.set(key, [...(IDLE.get(key) ?? []), stage]);
    },
  };
}
