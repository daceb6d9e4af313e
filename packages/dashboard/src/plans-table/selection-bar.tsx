/** Actions on the selected plans. */
import { useRef, useState } from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { useServices } from "../shell/services.ts";
import { useMay } from "../sign-in/caller.ts";
import { formatCount } from "../ui/format.ts";
import type { IconName } from "../ui/icons.tsx";
import { randomKey } from "../submit/random-key.ts";
import { ExportSelected } from "./export-menu.tsx";
import { SELECTION_BAR } from "./plans-table-words.ts";
import { toApiError } from "../api/api-error.ts";

type Props = {
  readonly selected: readonly PlanSummary[];
  readonly loaded: number;
  /** Whether more plans match than are loaded. */
  readonly more: boolean;
  readonly onClear: () => void;
};

export function SelectionBar({ selected, loaded, more, onClear }: Props) {
  const [outcome, setOutcome] = useState("");
  const all = more && selected.length === loaded;
  return (
    <div
      className="low-buttons flex flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line bg-accent-soft px-4 py-1 text-sm max-sm:px-2.5 [&_[data-part=popup-panel]]:right-auto [&_[data-part=popup-panel]]:left-0"
      role="group"
      aria-label={SELECTION_BAR.selectedPlans}
    >
      <span role="status">
        {SELECTION_BAR.selected(formatCount(selected.length, "plan"))}
        {all && SELECTION_BAR.allLoaded}
      </span>
      <Actions selected={selected} onOutcome={setOutcome} />
      <ExportSelected selected={selected} />
      <Button kind="quiet" onClick={onClear}>
        {SELECTION_BAR.clearSelection}
      </Button>
      <span className="empty:hidden" role="status">
        {outcome}
      </span>
    </div>
  );
}

function Actions({
  selected,
  onOutcome,
}: {
  readonly selected: readonly PlanSummary[];
  readonly onOutcome: (text: string) => void;
}) {
  const { gateway } = useServices();
  const may = useMay();
  // A second attempt after a failure must not start a second plan.
  const keys = useRef(new Map<string, string>());
  const idsOf = (isEnded: boolean) =>
    selected.flatMap(({ planId, ended }) => (ended === isEnded ? [String(planId)] : []));
  const [open, ended] = [idsOf(false), idsOf(true)];
  const rerun = async (planId: string, signal: AbortSignal) => {
    const key = keys.current.get(planId) ?? randomKey();
    keys.current.set(planId, key);
    await gateway.rerun(planId, {}, key, signal);
    keys.current.delete(planId);
  };
  const retry = async (signal: AbortSignal) => {
    let steps = 0;
    const planIds = selected.map(({ planId }) => String(planId));
    const outcome = await runEach(
      planIds,
      async (planId) => {
        steps += await gateway.retryOfPlan(planId, signal);
      },
      signal,
    );
    onOutcome(outcomeText(outcome, `checked, ${steps === 1 ? "1 step" : `${steps} steps`} retried`));
  };
  const each = (planIds: readonly string[], past: string, act: typeof rerun) => async (signal: AbortSignal) =>
    onOutcome(outcomeText(await runEach(planIds, act, signal), past));
  return (
    <>
      {may("cancelPlan") && (
        <BulkButton
          verb={SELECTION_BAR.cancel}
          icon="cancelled"
          planIds={open}
          of="unfinished"
          act={each(open, "cancelled", gateway.cancel)}
        />
      )}
      {may("rerunPlan") && (
        <BulkButton
          verb={SELECTION_BAR.reRun}
          icon="running"
          planIds={ended}
          of="finished"
          act={each(ended, SELECTION_BAR.submittedAgain, rerun)}
        />
      )}
      {may("retryDeadLetter") && (
        <BulkButton
          verb={SELECTION_BAR.retryDeadLetters}
          icon="undo"
          planIds={selected.map(({ planId }) => planId)}
          of=""
          act={retry}
        />
      )}
    </>
  );
}

type BulkProps = {
  readonly verb: string;
  readonly icon: IconName;
  readonly planIds: readonly string[];
  /** The selected plans that the action applies to. */
  readonly of: string;
  readonly act: (signal: AbortSignal) => Promise<void>;
};

/** Asks for confirmation first; renders nothing if it applies to no plan. */
function BulkButton({ verb, icon, planIds, of, act }: BulkProps) {
  if (planIds.length === 0) return null;
  const what = `${verb} ${formatCount(planIds.length, "plan")}`;
  if (planIds.length > ACTED_ON_MAX) {
    return (
      <Button disabled title={SELECTION_BAR.maxAtATime(ACTED_ON_MAX)}>
        {SELECTION_BAR.maxPlans(verb, ACTED_ON_MAX)}
      </Button>
    );
  }
  return (
    <ConfirmButton
      label={what}
      icon={icon}
      busyLabel={`${what}…`}
      question={`${verb} ${formatCount(planIds.length, `${of} plan`.trim())}?`}
      yes={SELECTION_BAR.yes(what.charAt(0).toLowerCase(), what.slice(1))}
      no={SELECTION_BAR.no}
      act={act}
    />
  );
}

/** Maximum number of plans per click. */
export const ACTED_ON_MAX = 200;
/** Maximum number of concurrent calls. */
const PARALLEL = 4;

export type Outcome = {
  readonly done: readonly string[];
  readonly failed: readonly { readonly planId: string; readonly message: string }[];
};

/** Makes every call, regardless of failures; calls that have not started when the signal aborts are not made. */
export async function runEach(
  planIds: readonly string[],
  act: (planId: string, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Outcome> {
  const done: string[] = [];
  const failed: { planId: string; message: string }[] = [];
  const left = planIds[Symbol.iterator]();
  const work = async (): Promise<void> => {
    // One shared iterator: each plan is taken once.
    for (const planId of left) {
      if (signal.aborted) return;
      try {
        await act(planId, signal);
        done.push(planId);
      } catch (error) {
        failed.push({ planId, message: toApiError(error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return { done, failed };
}

/** `3 plans cancelled. 2 failed: …`. @param past - The outcome, such as `cancelled`. */
export function outcomeText({ done, failed }: Outcome, past: string): string {
  const text = `${formatCount(done.length, "plan")} ${past}.`;
  const [first] = failed;
  if (first === undefined) return text;
  const reasons = new Set(failed.map(({ message }) => message));
  const others = reasons.size > 1 ? ` (and ${formatCount(reasons.size - 1, "other reason")})` : "";
  return `${text} ${failed.length} failed: ${first.message}${others}`;
}
