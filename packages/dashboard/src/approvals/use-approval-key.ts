import { useKeys } from "../keys/use-keys.ts";
import { USE_APPROVAL_KEY } from "./approval-words.ts";

/** Goes to the first pending approval. */
export function focusFirstApproval(): void {
  document.querySelector<HTMLElement>('[data-part="approval"]')?.focus();
}

/** A key for that. @param waits - Whether there is a pending approval. */
export function useApprovalKey(waits: boolean): void {
  useKeys(waits ? [{ keys: "a", label: USE_APPROVAL_KEY.label, run: focusFirstApproval }] : []);
}
