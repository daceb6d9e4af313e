/** Whether the page is light or dark: the system's setting, unless the user has chosen a theme. */
import { type Memory, remembered } from "../ui/browser-memory.ts";
import type { Store } from "../ui/create-store.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** @param root - The element whose `data-theme` attribute holds the choice; tokens.css reads it. */
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
