import { useEffect, useState } from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";

/** After the last letter. */
const SEARCH_DELAY_MS = 200;
const FOUND_MAX = 8;

export type FoundPlans = {
  readonly phase: "searching" | "found" | "failed";
  /** While another search is under way, those of the search before. */
  readonly plans: readonly PlanSummary[];
};

/** The plans that the gateway finds for a search, newest first; without a search, the newest. */
export function useFoundPlans(query: string): FoundPlans {
  const { gateway } = useServices();
  const [found, setFound] = useState<FoundPlans>({ phase: "searching", plans: [] });
  const q = query.trim();
  useEffect(() => {
    const closing = new AbortController();
    setFound(({ plans }) => ({ phase: "searching", plans }));
    const search = async (): Promise<void> => {
      const asked = { ...(q !== "" && { q }), limit: FOUND_MAX };
      const next = await gateway.plans(asked, closing.signal).then(
        ({ plans }): FoundPlans => ({ phase: "found", plans }),
        (): FoundPlans => ({ phase: "failed", plans: [] }),
      );
      if (!closing.signal.aborted) setFound(next);
    };
    const timer = setTimeout(() => void search(), q === "" ? 0 : SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [q, gateway]);
  return found;
}
