/** One call for each of many plans, a few at a time. */
import { toApiError } from "../api/api-error.ts";
import { formatCount } from "../ui/format.ts";

/** Plans that one click acts on. */
export const ACTED_ON_MAX = 200;
/** Calls under way. */
const PARALLEL = 4;

export type Outcome = {
  readonly done: readonly string[];
  readonly failed: readonly { readonly planId: string; readonly message: string }[];
};

/** Makes every call, whatever becomes of the others; those that have not begun when the signal aborts are not made. */
export async function runEach(
  planIds: readonly string[],
  act: (planId: string, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Outcome> {
  const done: string[] = [];
  const failed: { planId: string; message: string }[] = [];
  const left = planIds[Symbol.iterator]();
  const work = async (): Promise<void> => {
    // One iterator for all: each plan is taken once.
    for (const planId of left) {
      if (signal.aborted) return;
      try {
        await act(planId, signal);
        done.push(planId);
      } catch (error) {
        failed.push({ planId, message: toApiError(error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return { done, failed };
}

/** `3 plans cancelled. 2 failed: …`. @param past - What became of them. */
export function outcomeText({ done, failed }: Outcome, past: string): string {
  const text = `${formatCount(done.length, "plan")} ${past}.`;
  const [first] = failed;
  if (first === undefined) return text;
  const reasons = new Set(failed.map(({ message }) => message));
  const others = reasons.size > 1 ? ` (and ${formatCount(reasons.size - 1, "other reason")})` : "";
  return `${text} ${failed.length} failed: ${first.message}${others}`;
}
