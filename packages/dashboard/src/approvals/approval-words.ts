/** Approvals in words: what a kind asks for, and what each decision does. */
import type { Approval, ApprovalChoice } from "../api/api-types.ts";

const TITLES: Readonly<Record<Approval["kind"], string>> = {
  plan: "Approve this plan?",
  "tool-risk": "Approve this step?",
  confidence: "Approve this low-confidence step?",
  question: "A question",
  "outcome-unknown": "Step outcome unknown",
  budget: "Budget exhausted",
};

const LABELS: Readonly<Record<ApprovalChoice, string>> = {
  approve: "Approve",
  reject: "Reject",
  answer: "Answer",
  happened: "It took effect",
  "run-again": "Run it again",
};

export function titleOf({ kind }: Pick<Approval, "kind">): string {
  return TITLES[kind];
}

/** @param edited - Something else is approved than what was shown. */
export function labelOf(decision: ApprovalChoice, edited: boolean): string {
  return decision === "approve" && edited ? "Approve as edited" : LABELS[decision];
}

/** What the edits of an approval are: shown above the field that takes them. */
export function editsLabelOf({ kind }: Pick<Approval, "kind">): string {
  if (kind === "plan") return "Edited plan";
  if (kind === "budget") return "Raise limits by (tokens, usd, seconds, steps)";
  return "Edited arguments";
}

/** When nobody has decided by then, it counts as rejected. */
export function expiryText(expiresAt: string, nowMs: number): string {
  // Rounded as what a plan waits for is: both stand on one page.
  const seconds = Math.round((Date.parse(expiresAt) - nowMs) / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (seconds <= 0) return "expires now";
  if (minutes < 1) return "expires in less than 1 min";
  if (minutes < 60) return `expires in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `expires in ${hours} h` : `expires in ${Math.floor(hours / 24)} d`;
}
