/**
 * Lends whole systems to the test files of one process, one after another: starting one costs seconds of processor time, and
 * most files need neither another configuration nor an empty list of plans.
 */
import { TEST_RUN_STARTS } from "../run/test-run.ts";
import type { TestSystem } from "./start-system.ts";
import type { RestoreOptions } from "./system-services.ts";

/** A system, and its model. */
export type Stage = AsyncDisposable & { readonly system: TestSystem };

type IdleStage = { readonly stage: Stage; readonly borrower: string };

export type Loan<Lent extends Stage> = RestoreOptions & {
  /** Identifies one type of stage, whichever file starts it. */
  readonly key: string;
  /** Named in the error when the next borrower cannot use its system. */
  readonly borrower: string;
  /** Whether no other file may have used it before; later ones can use it. */
  readonly fresh?: boolean;
  /** Starts one if none is free. */
  readonly start: () => Promise<Lent>;
  /** Resets what belongs to the system. If it throws, the file that has used it fails. */
  readonly reset?: ((stage: Lent) => void) | undefined;
};

const IDLE = new Map<string, IdleStage[]>();

/**
 * Lends a stage to one test file. Disposing the result keeps it for the next file of this process that requests the same
 * key, for which the system is restored (see {@link TestSystem.restore}); when a file requests another key, it ends, because
 * an idle system takes two percent of a processor. Outside a test run it ends immediately.
 *
 * @throws {Error} When the state left by an earlier file cannot be reset.
 */
export async function lendStage<Lent extends Stage>(loan: Loan<Lent>): Promise<Lent> {
  const { key, borrower, fresh = false, start, reset } = loan;
  await endOthers(key);
  const idle = fresh ? undefined : IDLE.get(key)?.pop();
  // A key identifies one type of stage, whichever file starts it.
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

/** Ends idle stages with other keys: files with the same key run one after another (`scripts/test-order.ts`). */
async function endOthers(key: string): Promise<void> {
  const others = [...IDLE].filter(([other]) => other !== key);
  for (const [other] of others) IDLE.delete(other);
  await Promise.all(others.flatMap(([, idle]) => idle).map(({ stage }) => stage[Symbol.asyncDispose]()));
}
