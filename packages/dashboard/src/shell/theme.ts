/** Whether the page is light or dark: as the system is, unless somebody has chosen. */
import type { Store } from "../ui/create-store.ts";
import type { Memory } from "../ui/browser-memory.ts";
import { remembered } from "../ui/remembered.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** @param root - Where `data-theme` says what was chosen; tokens.css goes by it. */
export function createTheme(
  memory: Pick<Memory, "getItem" | "setItem">,
  root: { readonly dataset: DOMStringMap },
): Store<Theme> {
  const theme = remembered(memory, { key: "theme", values: THEMES });
  const apply = () => {
    root.dataset["theme"] = theme.get();
  };
  apply();
  theme.subscribe(apply);
  return theme;
}
