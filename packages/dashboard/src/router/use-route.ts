/** The page's address: the path names the plan, the query the tab and step, so that links keep both. */
import { useSyncExternalStore } from "react";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "plan"; readonly planId: string }
  | { readonly page: "plans" }
  | { readonly page: "compare" }
  | { readonly page: "system"; readonly part: SystemPart }
  | { readonly page: "unknown"; readonly path: string };

/** The pages about the whole system, by their paths. */
const SYSTEM_PARTS = ["approvals", "tools", "workers", "dead-letters", "metrics"] as const;
export type SystemPart = (typeof SYSTEM_PARTS)[number];

/** The pages in the top bar, by their paths. */
export const PLACES = ["plans", ...SYSTEM_PARTS] as const;
export type Place = (typeof PLACES)[number];

/** Addresses of earlier versions, for bookmarks and links. */
const MOVED: Readonly<Record<string, string>> = { "/figures": "/metrics" };

export const NAVIGATED = "planwright:navigated";
const PLAN_PATH = /^\/plans\/([^/]+)\/?$/;

export function routeOf(path: string): Route {
  if (path === "/plans" || path === "/plans/") return { page: "plans" };
  if (path === "/" || path === "/index.html") return { page: "home" };
  if (path === "/compare" || path === "/compare/") return { page: "compare" };
  const part = SYSTEM_PARTS.find((one) => path === `/${one}` || path === `/${one}/`);
  if (part !== undefined) return { page: "system", part };
  const planId = PLAN_PATH.exec(path)?.[1];
  return planId === undefined ? { page: "unknown", path } : { page: "plan", planId };
}

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(subscribe, pathNow));
}

/** The path, after a redirect from an address that has moved. The search stays. */
function pathNow(): string {
  const to = MOVED[location.pathname.replace(/\/$/, "")];
  if (to !== undefined) history.replaceState(history.state, "", to + location.search + location.hash);
  return location.pathname;
}

/** One field of the URL's query, and a function that changes it (`undefined` removes it). */
export function useSearchField(name: string): [string | undefined, (value: string | undefined) => void] {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const change = (value: string | undefined) => setSearchFields({ [name]: value });
  return [new URLSearchParams(search).get(name) ?? undefined, change];
}

/** Changes several fields of the URL's query in one step. `undefined` removes a field; other fields stay. */
export function setSearchFields(changed: Readonly<Record<string, string | undefined>>): void {
  const fields = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) fields.delete(name);
    else fields.set(name, value);
  }
  const text = fields.toString();
  navigate(location.pathname + (text === "" ? "" : `?${text}`), { replace: true });
}

/** @param options.replace - Without a new entry in the browser's history. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  dispatchEvent(new Event(NAVIGATED));
}

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(NAVIGATED, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(NAVIGATED, listener);
  };
}
