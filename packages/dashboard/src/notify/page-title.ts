/** The title of the browser's tab: the page, and before it how many plans need approval, as in `(2) Planwright`. */
import { useEffect } from "react";
import { useServices } from "../shell/services.ts";

const APP = "Planwright";

export type PageTitle = {
  /** @param page - Undefined for the start page. */
  readonly setPage: (page: string | undefined) => void;
  readonly setPlansToApprove: (plans: number) => void;
};

/** @param target - Whose title is set. */
export function createPageTitle(target: { title: string }): PageTitle {
  let page: string | undefined;
  let plansToApprove = 0;
  const write = (): void => {
    const name = page === undefined ? APP : `${page} · ${APP}`;
    target.title = plansToApprove > 0 ? `(${plansToApprove}) ${name}` : name;
  };
  return {
    setPage: (next) => {
      page = next;
      write();
    },
    setPlansToApprove: (next) => {
      plansToApprove = next;
      write();
    },
  };
}

/** Names the page in the tab. */
export function usePageTitle(page: string): void {
  const { title } = useServices();
  useEffect(() => title.setPage(page), [title, page]);
}
