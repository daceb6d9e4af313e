import type { PlanId } from "@planwright/plan";
import type { JoinDeps } from "./start-reflector.ts";

/** Looks at the plan at every hint that it may not want what is being done for it any more. */
export function abortWhenUnwanted(
  { stops, log }: Pick<JoinDeps, "stops" | "log">,
  planId: PlanId,
  { isWanted, unwanted }: { readonly isWanted: () => Promise<boolean>; readonly unwanted: AbortController },
): Disposable {
  const look = async (): Promise<void> => {
    if (await isWanted()) return;
    unwanted.abort(new DOMException("the review is no longer needed", "AbortError"));
  };
  const onHint = (): void =>
    void look().catch((error: unknown) =>
      log.warn({ planId, err: error }, "could not read plan after a hint"),
    );
  return { [Symbol.dispose]: stops.watch(planId, onHint) };
}
