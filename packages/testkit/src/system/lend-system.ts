/**
 * Whole systems that the test files of one process use one after the other: starting one costs seconds of processor time, and
 * most files neither need another configuration nor an empty list of plans.
 */
import { TEST_RUN_STARTS } from "../run/test-run.ts";
import type { TestSystem } from "./start-system.ts";
import type { RestoreOptions } from "./system-services.ts";

/** A system, and what belongs to it: its model. */
export type Stage = AsyncDisposable & { readonly system: TestSystem };

type IdleStage = { readonly stage: Stage; readonly borrower: string };

export type Loan<Lent extends Stage> = RestoreOptions & {
  /** Stands for one type of stage, whichever file starts it. */
  readonly key: string;
  /** Named in the error when the next one cannot use what it has left. */
  readonly borrower: string;
  /** Whether no other file may have used it; those that come later may. */
  readonly fresh?: boolean;
  /** Starts one, when none is free. */
  readonly start: () => Promise<Lent>;
  /** Makes ready again what belongs to the system. An error of it fails the file that has used it. */
  readonly reset?: ((stage: Lent) => void) | undefined;
};

const IDLE = new Map<string, IdleStage[]>();

/**
 * Lends a stage to one test file. Disposing what it returns keeps it for the next file of this process that asks for the same
 * key, for which the system is restored (see {@link TestSystem.restore}); when a file asks for another key, it ends, because an idle
 * system takes two percent of a processor. Outside a test run it ends immediately.
 *
 * @throws {Error} When what an earlier file has left cannot be restored.
 */
export async function lendStage<Lent extends Stage>(loan: Loan<Lent>): Promise<Lent> {
  const { key, borrower, fresh = false, start, reset } = loan;
  await endOthers(key);
  const idle = fresh ? undefined : IDLE.get(key)?.pop();
  // A key stands for one type of stage: whichever file starts them.
  const stage = (idle?.stage as Lent | undefined) ?? (await start());
  if (idle !== undefined) {
    try {
      await stage.system.restore(loan);
    } catch (cause) {
      await stage[Symbol.asyncDispose]();
      throw new Error(`the system that ${idle.borrower} has used cannot be used again`, { cause });
    }
  }
  let isReturned = false;
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      if (isReturned) return;
      isReturned = true;
      if (process.env[TEST_RUN_STARTS] === undefined) return stage[Symbol.asyncDispose]();
      IDLE.set(key, [...(IDLE.get(key) ?? []), { stage, borrower }]);
      reset?.(stage);
    },
  };
}

/** Ends the idle stages of other keys: files of one key run one after the other (`scripts/test-order.ts`). */
async function endOthers(key: string): Promise<void> {
  const others = [...IDLE].filter(([other]) => other !== key);
  for (const [other] of others) IDLE.delete(other);
  await Promise.all(others.flatMap(([, idle]) => idle).map(({ stage }) => stage[Symbol.asyncDispose]()));
}
