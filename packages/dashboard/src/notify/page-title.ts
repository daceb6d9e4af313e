/** The title of the browser tab: the number of plans that need approval, then the page, as in `(2) Planwright`. */
import { useEffect } from "react";
import type { PlanCounts } from "../plans/plan-counts.ts";
import { useServices } from "../shell/services.ts";
import type { Readable } from "../ui/create-store.ts";

const APP = "Planwright";

export type PageTitle = {
  /** @param page - Undefined for the start page. */
  readonly setPage: (page: string | undefined) => void;
};

/** @param target - The document whose title is set. */
export function createPageTitle(
  target: { title: string },
  planCounts: Readable<Pick<PlanCounts, "needsApproval"> | undefined>,
): PageTitle {
  let page: string | undefined;
  const write = (): void => {
    const name = page === undefined ? APP : `${page} · ${APP}`;
    const { needsApproval = 0 } = planCounts.get() ?? {};
    target.title = needsApproval > 0 ? `(${needsApproval}) ${name}` : name;
  };
  planCounts.subscribe(write);
  return {
    setPage: (next) => {
      page = next;
      write();
    },
  };
}

/** Names the page in the tab. */
export function usePageTitle(page: string): void {
  const { title } = useServices();
  useEffect(() => title.setPage(page), [title, page]);
}
