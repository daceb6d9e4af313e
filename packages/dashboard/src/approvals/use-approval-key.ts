import { useKeys } from "../keys/use-keys.ts";

/** A key that leads to the first thing that waits for a person. @param waits - Whether there is one. */
export function useApprovalKey(waits: boolean): void {
  const focus = () => document.querySelector<HTMLElement>(".approval")?.focus();
  useKeys(waits ? [{ keys: "a", label: "Go to the first approval", run: focus }] : []);
}
