/** Marks and spans: what happens to a plan as a whole. */
import type { PlanEvent } from "../../events/plan-event.ts";
import { openGate } from "../../machine/approval/open-gate.ts";
import { isEnded, type KnownPlan } from "../../machine/plan-state.ts";
import type { Mark, PlanSpan, PlanSpanKind } from "./timeline.ts";

const SPANS: readonly (readonly [PlanSpanKind, (plan: KnownPlan) => boolean])[] = [
  ["drafting", ({ drafting }) => drafting.phase === "open"],
  ["critique", ({ drafting }) => drafting.phase === "reviewing"],
  ["paused", ({ pause }) => pause !== undefined],
  ["approval", isAsked],
  ["start", ({ startsAt }) => startsAt !== undefined],
];

/** Opens and closes the spans that the event has begun and ended. */
export function followSpans(spans: PlanSpan[], plan: KnownPlan, atMs: number): void {
  for (const [kind, isOn] of SPANS) {
    const index = spans.findLastIndex((span) => span.kind === kind && span.endMs === undefined);
    const open = spans[index];
    const isNowOn = !isEnded(plan) && isOn(plan);
    if (open === undefined && isNowOn) spans.push({ kind, startMs: atMs });
    if (open !== undefined && !isNowOn) spans[index] = { ...open, endMs: Math.max(atMs, open.startMs) };
  }
}

/** Whether the plan as a whole waits for a decision that was requested. */
function isAsked(plan: KnownPlan): boolean {
  const gate = openGate(plan)?.approvalId;
  const asking = plan.conclusion === undefined ? plan.budget?.asking?.approvalId : undefined;
  return [gate, asking].some((id) => id !== undefined && plan.approvals.has(id));
}

/** The mark of an event that the plan has accepted. */
export function markOf(event: PlanEvent, atMs: number): Mark | undefined {
  switch (event.type) {
    case "plan.sealed":
      return { kind: "sealed", atMs, text: "" };
    case "plan.revised":
      return { kind: "revised", atMs, text: event.data.reason, cause: event.data.cause };
    case "draft.abandoned":
      return { kind: "abandoned", atMs, text: event.data.message };
    case "pause.requested":
      return { kind: "paused", atMs, text: said(event.data.by, event.data.reason) };
    case "resume.requested":
      return { kind: "resumed", atMs, text: event.data.by };
    case "cancel.requested":
    case "log.damaged":
      return { kind: "cancelled", atMs, text: event.data.reason };
    case "answer.given":
      return { kind: "answer", atMs, text: event.data.answer.status };
    case "plan.ended":
      return { kind: "ended", atMs, text: said(event.data.outcome, event.data.reason) };
    default:
      return undefined;
  }
}

function said(what: string, why: string): string {
  return why === "" ? what : `${what}: ${why}`;
}
