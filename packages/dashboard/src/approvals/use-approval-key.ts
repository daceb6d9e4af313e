import { useKeys } from "../keys/use-keys.ts";
import { USE_APPROVAL_KEY } from "./approval-words.ts";

/** Leads to the first thing that waits for a person. */
export function focusFirstApproval(): void {
  document.querySelector<HTMLElement>('[data-part="approval"]')?.focus();
}

/** A key that does. @param waits - Whether there is one. */
export function useApprovalKey(waits: boolean): void {
  useKeys(waits ? [{ keys: "a", label: USE_APPROVAL_KEY.label, run: focusFirstApproval }] : []);
}
