/** All texts of the notifications. */
import { statusLabel } from "@planwright/plan/status-label";
import type { PlanSummary } from "../api/api-types.ts";

export const NOTIFICATIONS = {
  title: "Notifications",
  about:
    "Get a browser notification when a plan needs approval, and when a plan that you submitted finishes. You get none while a tab with Planwright is visible.",
  memory: "Applies to this browser. A tab with Planwright must stay open.",
  turnOn: "Turn on notifications",
  turnOff: "Turn off notifications",
  isOn: "Notifications are on.",
  blocked:
    "This browser blocks notifications from this address. Allow them in the browser's settings for this site, then turn them on here.",
  unsupported: "This browser cannot show notifications here. It needs HTTPS, or an address of this machine.",
  sample: "This is how Planwright tells you about your plans.",
  close: "Close notifications",
  approvalNeeded: "Approval needed",
  approvalsPage: "Open the approvals page to decide.",
  plansPage: "Open the list of plans to see them.",
} as const;

export function approvalsNeeded(plans: number): string {
  return `${plans} plans need approval`;
}

export function plansFinished(plans: number): string {
  return `${plans} plans finished`;
}

/** Such as `Plan partially succeeded`. */
export function planEnded({ status, answerStatus }: PlanSummary): string {
  return `Plan ${statusLabel(status, answerStatus)}`;
}
