/** The list's filter, held in the URL. It is kept when the user follows a link inside the page. */
import { useSyncExternalStore } from "react";
import { NAVIGATED, navigate } from "../router/use-route.ts";
import { type ListFilter, readFilter, textOf, withFilter } from "./list-filter.ts";

let kept = textOf(readFilter(location.search));
let shown = readFilter(kept);

export function useListFilter(): [ListFilter, (filter: ListFilter) => void] {
  return [useSyncExternalStore(subscribe, () => shown), setFilter];
}

export function setFilter(filter: ListFilter): void {
  keep(textOf(filter));
  navigate(location.pathname + withFilter(location.search, filter) + location.hash, { replace: true });
}

function keep(text: string): void {
  if (text === kept) return;
  kept = text;
  shown = readFilter(text);
}

/** A link without filter fields leaves the filter unchanged. */
function follow(): void {
  const here = textOf(readFilter(location.search));
  if (here !== "") return keep(here);
  if (kept === "") return;
  const address = location.pathname + withFilter(location.search, shown) + location.hash;
  history.replaceState(history.state, "", address);
}

/** Back and forward restore the filter of that entry. */
function goBack(): void {
  keep(textOf(readFilter(location.search)));
}

function subscribe(listener: () => void): () => void {
  const followed = () => {
    follow();
    listener();
  };
  const wentBack = () => {
    goBack();
    listener();
  };
  addEventListener(NAVIGATED, followed);
  addEventListener("popstate", wentBack);
  return () => {
    removeEventListener(NAVIGATED, followed);
    removeEventListener("popstate", wentBack);
  };
}
