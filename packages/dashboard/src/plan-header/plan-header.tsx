import { formatUsd } from "@planwright/plan/amounts";
import { strategyName } from "@planwright/plan/strategy-name";
import { useRef } from "react";
import type { PlanView } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { focusFirstApproval } from "../approvals/use-approval-key.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { CompareWithOriginLink } from "../compare/compare-link.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { RERUN_BUTTON } from "../rerun/rerun-words.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { useMay } from "../sign-in/caller.ts";
import { randomKey } from "../submit/random-key.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { usageWords } from "./plan-notes.tsx";
import { HEADER_WORDS, PAUSE_BUTTON } from "./header-words.ts";
import { PlanMenu } from "./plan-menu.tsx";
import { ProgressBar, ProgressWords } from "./plan-progress.tsx";
import { PlanTrail } from "./plan-trail.tsx";

type Props = {
  readonly view: PlanView;
  /** The plan is shown at an earlier event: no actions are possible. */
  readonly isPast: boolean;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
};

/** The goal, the progress and the actions that are possible now; everything else is in the menu. */
export function PlanHeader({ view, isPast, onChanged, onHistory }: Props) {
  const elapsedMs = Math.max(0, usePlanNow() - Date.parse(view.submittedAt));
  return (
    <header className="grid grid-cols-1 gap-2" data-part="plan-header">
      <PlanTrail view={view} />
      <div className="flex flex-wrap items-start gap-x-4.5 gap-y-2">
        <Link
          className="hidden items-center gap-1.5 text-sm text-soft no-underline max-lg:flex max-lg:basis-full print:hidden"
          href="/"
        >
          <Icon name="back" size={14} />
          {HEADER_WORDS.back}
        </Link>
        <h1
          className="line-clamp-2 flex-[1_1_min(340px,100%)] text-lg font-bold md:text-xl"
          data-part="plan-goal"
          title={view.goal}
        >
          {view.goal}
        </h1>
        {!isPast && (
          <div
            className="flex flex-wrap gap-2 max-md:gap-1.5 max-md:[&_.button]:px-2.5 print:hidden"
            role="group"
            aria-label={HEADER_WORDS.controls}
          >
            <PrimaryActions view={view} onChanged={onChanged} />
            <PlanMenu view={view} onChanged={onChanged} onHistory={onHistory} />
          </div>
        )}
      </div>
      {/* One line, however its texts change: a second one would move the page. Text that does not fit is hidden. */}
      <div
        className="flex h-6 flex-wrap content-start items-center gap-x-4 gap-y-1.5 overflow-hidden text-sm whitespace-nowrap text-soft max-md:h-auto"
        data-part="plan-facts"
      >
        <PlanStatusBadge status={view.status} answer={view.answer?.status} />
        <span title={HEADER_WORDS.submitted(formatDateTime(view.submittedAt))}>
          <Icon className="align-[-2px]" name="clock" size={14} /> {formatDuration(elapsedMs)}
        </span>
        <Cost usage={view.usage} />
        <span className="order-1 flex h-5 basis-full flex-wrap gap-x-3.5 gap-y-1.5 overflow-hidden tabular-nums md:contents">
          <ProgressWords view={view} />
        </span>
        <CompareWithOriginLink view={view} />
        <span>{strategyName(view.strategy)}</span>
        {view.revision > 0 && <span>{HEADER_WORDS.revision(view.revision)}</span>}
      </div>
      <ProgressBar view={view} />
    </header>
  );
}

/** The cost of model calls; the tokens if the price is unknown. Nothing for a plan without model calls. */
function Cost({ usage }: Pick<PlanView, "usage">) {
  const words = usageWords(usage);
  if (words === undefined) return null;
  const { costUsd, inputTokens, outputTokens } = usage;
  return (
    <span title={HEADER_WORDS.used(words)}>
      {costUsd !== null && costUsd > 0
        ? formatUsd(costUsd)
        : HEADER_WORDS.tokens((inputTokens + outputTokens).toLocaleString("en"))}
    </span>
  );
}

type PrimaryActionsProps = { readonly view: PlanView; readonly onChanged: () => void };

/** The action that a user most likely wants in the plan's state. */
function PrimaryActions({ view, onChanged }: PrimaryActionsProps) {
  const may = useMay();
  if (view.ended) return may("rerunPlan") && <RerunButton key={view.planId} planId={view.planId} />;
  const isAsking = view.approvals.some(({ status }) => status === "pending");
  return (
    <>
      {isAsking && (
        <Button kind="primary" onClick={focusFirstApproval}>
          <Icon name="approval" size={14} />
          {HEADER_WORDS.review}
        </Button>
      )}
      {may("pausePlan") && <PauseButton view={view} onDone={onChanged} />}
    </>
  );
}

/** Pauses or resumes the plan. While it is paused, running steps can finish and no new step starts. */
function PauseButton({ view, onDone }: { view: PlanView; onDone: () => void }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(onDone);
  const isPaused = view.pause !== undefined;
  const act = isPaused ? gateway.resume : gateway.pause;
  const toggle = () => void run((signal) => act(view.planId, signal));
  useKeys([{ keys: "p", label: isPaused ? PAUSE_BUTTON.resumePlan : PAUSE_BUTTON.pausePlan, run: toggle }]);
  return (
    <span className="flex flex-none flex-wrap items-center justify-end gap-2 text-sm">
      {error !== undefined && <span role="alert">{error.message}</span>}
      <Button disabled={busy} onClick={toggle}>
        <Icon name={isPaused ? "running" : "paused"} size={14} />
        {isPaused ? PAUSE_BUTTON.resumePlan : PAUSE_BUTTON.pausePlan}
      </Button>
    </span>
  );
}

/** Runs an ended plan again, as submitted. */
function RerunButton({ planId }: { planId: string }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(() => undefined);
  // A second click after a failure must not start a second plan.
  const key = useRef<string>(undefined);
  const rerun = () =>
    run(async (signal) => {
      key.current ??= randomKey();
      const accepted = await gateway.rerun(planId, {}, key.current, signal);
      navigate(`/plans/${accepted.planId}`);
    });
  useKeys([{ label: RERUN_BUTTON.runAgain, run: () => void rerun() }]);
  return (
    <span className="flex flex-none flex-wrap items-center justify-end gap-2 text-sm">
      {error !== undefined && <span role="alert">{error.message}</span>}
      <Button kind="primary" disabled={busy} onClick={() => void rerun()}>
        {busy && <Icon name="running" spin size={14} />}
        {RERUN_BUTTON.runAgain}
      </Button>
    </span>
  );
}
