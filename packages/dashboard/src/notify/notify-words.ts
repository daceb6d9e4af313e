/** All texts of the notifications. */
import { statusLabel } from "@planwright/plan/status-label";
import type { PlanSummary } from "../api/api-types.ts";

export const NOTIFICATIONS = {
  title: "Notifications",
  about:
    "Get a browser notification when a plan needs approval and when a plan that you submitted finishes. No notification appears while a Planwright tab is visible.",
  memory: "Applies to this browser. Keep a Planwright tab open.",
  turnOn: "Turn on notifications",
  turnOff: "Turn off notifications",
  isOn: "Notifications are on.",
  blocked:
    "This browser blocks notifications from this address. Allow them in the browser's settings for this site, then turn them on here.",
  unsupported: "This browser cannot show notifications here. Use HTTPS or localhost.",
  sample: "Notifications about your plans look like this.",
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
