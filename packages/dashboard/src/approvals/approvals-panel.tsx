import { useState } from "react";
import type { Approval, JsonObject, PlanView } from "../api/api-types.ts";
import { Button } from "../ui/button.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { useApprovalKey } from "./use-approval-key.ts";
import { APPROVALS_PANEL } from "./approval-words.ts";
import { PLANNED_FIELDS } from "@planwright/plan/planned-fields";

/** Hundreds of branches can need approval simultaneously, but a reviewer decides only a few at a time. */
const SHOWN = 10;

type Props = {
  readonly view: PlanView;
  readonly onDecided: () => void;
  readonly onSelectStep: (id: string) => void;
};

/** The plan's pending approvals, oldest first. */
export function ApprovalsPanel({ view, onDecided, onSelectStep }: Props) {
  const [all, setAll] = useState(false);
  const pending = view.approvals.filter(({ status }) => status === "pending");
  useApprovalKey(pending.length > 0);
  if (pending.length === 0) return null;
  const shown = all ? pending : pending.slice(0, SHOWN);
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="approvals-title">
      <h2 id="approvals-title" className="text-base">
        {pending.length === 1
          ? APPROVALS_PANEL.needsYourApproval
          : APPROVALS_PANEL.approvalsPending(pending.length)}
      </h2>
      {shown.map((approval) => (
        <ApprovalCard
          key={approval.approvalId}
          planId={view.planId}
          approval={approval}
          editable={editsOf(approval, view)}
          onDecided={onDecided}
          stepLink={<StepChip view={view} approval={approval} onSelectStep={onSelectStep} />}
        />
      ))}
      {pending.length > shown.length && (
        <Button onClick={() => setAll(true)}>
          {APPROVALS_PANEL.showMore(pending.length - shown.length)}
        </Button>
      )}
    </section>
  );
}

type ChipProps = Pick<Props, "view" | "onSelectStep"> & { readonly approval: Approval };

function StepChip({ view, approval: { stepId, item }, onSelectStep }: ChipProps) {
  if (stepId === undefined) return null;
  const isOfMany = view.steps.find(({ id }) => id === stepId)?.forEach !== undefined;
  return (
    <button type="button" className="chip" onClick={() => onSelectStep(stepId)}>
      <code>{stepId}</code>
      {isOfMany && item !== undefined && APPROVALS_PANEL.item(item)}
    </button>
  );
}

/** The fields of a step that a reviewer can edit. */
const PLANNED = ["id", ...PLANNED_FIELDS] as const;

/** Undefined when none of it can be edited. */
function editsOf(approval: Approval, view: Pick<PlanView, "steps">): JsonObject | undefined {
  if (!approval.choices.includes("approve")) return undefined;
  if (approval.kind === "budget") return {};
  if (approval.kind === "plan") return planOf(view, approval.details?.["draft"]);
  return approval.args ?? {};
}

/** The steps of the draft that needs approval, in the form of a submission. */
function planOf({ steps }: Pick<PlanView, "steps">, draft: unknown): JsonObject {
  const waiting = steps.filter((step) => step.draft === draft && step.status === "waiting");
  const planned = waiting.map((step) => Object.fromEntries(PLANNED.map((field) => [field, step[field]])));
  // The JSON round trip removes absent fields.
  return JSON.parse(JSON.stringify({ steps: planned })) as JsonObject;
}
