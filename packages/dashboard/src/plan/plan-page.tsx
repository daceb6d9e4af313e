/** One plan, live. */
import clsx from "clsx";
import { lazy, Suspense, useEffect, useId, useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import { ApprovalsPanel } from "../approvals/approvals-panel.tsx";
import { PlanClockContext, usePlanClock } from "../clock/plan-clock.ts";
import type { ServerClock } from "../clock/server-clock.ts";
import { useKeys } from "../keys/use-keys.ts";
import { useLivePlan } from "../live/use-live-plan.ts";
import { usePageTitle } from "../notify/page-title.ts";
import { PlanHeader } from "../plan-header/plan-header.tsx";
import { PlanNotes } from "../plan-header/plan-notes.tsx";
import { Link } from "../router/link.tsx";
import { setSearchFields, useSearchField } from "../router/use-route.ts";
import { DrawerFrame } from "../step/drawer-frame.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Notice } from "../ui/notice.tsx";
import { lookOfPlan } from "../ui/status-badge.tsx";
import { COMMON } from "../ui/ui-words.ts";
import { useReturnFocus } from "../ui/use-dialog-focus.ts";
import { AnswerCard, PendingAnswer } from "./answer-card.tsx";
import { FeedbackCard } from "./feedback-card.tsx";
import { PlanDetails } from "./plan-details.tsx";
import { PlanTabs, preloadTabs } from "./plan-tabs.tsx";
import { HISTORY_BAR, PLAN_PAGE, STEP_MISSING } from "./plan-words.ts";
import { useHistory } from "./use-history.ts";
import { Icon } from "../ui/icons.tsx";

const PLAN =
  "mx-auto grid w-full max-w-350 grid-cols-1 content-start gap-4.5 px-7 pt-5.5 pb-15 max-lg:gap-3.5 max-lg:px-3.5 max-lg:pt-3.5 max-lg:pb-12 print:block print:*:mb-3.5";
/** A step's sheet covers everything: keyboard and screen reader cannot reach what is behind it. */
const BEHIND_SHEET = "max-lg:not-print:invisible max-lg:not-print:**:invisible!";

/** How long each event is shown while the history plays. */
const EVENT_MS = 500;

/** Loaded on demand: most visits open no step. */
const StepDrawer = lazy(async () => ({ default: (await import("../step/step-drawer.tsx")).StepDrawer }));

/** A plan with more steps than this shows no animation: simultaneous movement says nothing and slows down the page. */
const MOVING_STEPS_MAX = 30;

export function PlanPage({ planId }: { planId: string }) {
  const { state, clock, reload } = useLivePlan(planId);
  useEffect(preloadTabs, []);
  switch (state.phase) {
    case "loading":
      return <Loading />;
    case "failed":
      return (
        <Notice
          icon="alert"
          of="page"
          title={state.error.status === 404 ? PLAN_PAGE.planNotFound : PLAN_PAGE.cannotLoadThisPlan}
        >
          <p>{state.error.message}</p>
          <div className="flex gap-2.5">
            <Button onClick={reload}>{COMMON.tryAgain}</Button>
            <Link className="button" href="/">
              {PLAN_PAGE.goHome}
            </Link>
          </div>
        </Notice>
      );
    case "ready":
      return <Plan view={state.view} server={clock} reload={reload} />;
    default:
      state satisfies never;
      return null;
  }
}

type PlanProps = { readonly view: PlanView; readonly server: ServerClock; readonly reload: () => void };

function Plan({ view: now, server, reload }: PlanProps) {
  const [stepId] = useSearchField("step");
  const { view, seq, goTo } = useHistory(now);
  const isPast = seq !== undefined;
  const clock = usePlanClock(view, { server, isPast });
  const step = view.steps.find((candidate) => candidate.id === stepId);
  const rememberFocus = useReturnFocus(step !== undefined);
  const selectStep = (id: string | undefined) => {
    rememberFocus();
    // Positions inside the previous step do not exist in this one.
    setSearchFields({ step: id, item: undefined, turn: undefined });
  };
  useKeys([
    { keys: "[", label: PLAN_PAGE.previousEvent, run: () => goTo((seq ?? now.seq) - 1) },
    {
      keys: "]",
      label: PLAN_PAGE.nextEvent,
      run: () => goTo(seq === undefined || seq >= now.seq ? undefined : seq + 1),
    },
  ]);
  usePageTitle(now.goal.slice(0, 60));
  const page = (
    <div
      className="data-[calm=true]:[--motion:none] 2xl:data-[drawer=true]:grid 2xl:data-[drawer=true]:grid-cols-[minmax(0,1fr)_auto]"
      data-drawer={step !== undefined}
      data-calm={view.steps.length > MOVING_STEPS_MAX}
    >
      <article className={clsx(PLAN, step !== undefined && BEHIND_SHEET)} aria-label={PLAN_PAGE.plan}>
        <p className="visually-hidden" role="status">
          {PLAN_PAGE.planNamed(lookOfPlan(view.status, view.answer?.status).label)}
        </p>
        <PlanHeader view={view} isPast={isPast} onChanged={reload} onHistory={() => goTo(1)} />
        <PlanNotes view={view} isPast={isPast} />
        {isPast && <HistoryBar seq={seq} last={now.seq} onSeq={goTo} onLeave={() => goTo(undefined)} />}
        {!isPast && (
          <ErrorBoundary what={PLAN_PAGE.pendingApprovals}>
            <ApprovalsPanel view={view} onDecided={reload} onSelectStep={selectStep} />
          </ErrorBoundary>
        )}
        <AnswerPlace view={view} isPast={isPast} onSelectStep={selectStep} onRated={reload} />
        {stepId !== undefined && step === undefined && <StepMissing id={stepId} isPast={isPast} />}
        <PlanTabs view={view} selected={step?.id} onSelectStep={selectStep} />
        <PlanDetails view={view} />
      </article>
      {step !== undefined && (
        <ErrorBoundary key={step.id} what={PLAN_PAGE.thisStep}>
          <Suspense fallback={<DrawerFrame aria-label={PLAN_PAGE.loadingStep} aria-busy="true" />}>
            <StepDrawer view={view} step={step} onSelectStep={selectStep} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
  return <PlanClockContext value={clock}>{page}</PlanClockContext>;
}

type AnswerPlaceProps = {
  readonly view: PlanView;
  readonly isPast: boolean;
  readonly onSelectStep: (id: string | undefined) => void;
  readonly onRated: () => void;
};

/** The answer and its rating. Their space is reserved once the plan starts to write its answer. */
function AnswerPlace({ view, isPast, onSelectStep, onRated }: AnswerPlaceProps) {
  const { answer, ended, status } = view;
  const [isReserved, setReserved] = useState(false);
  if (status === "reflecting" && !isReserved && !isPast) setReserved(true);
  const rating = ended && !isPast && <FeedbackCard view={view} onDone={onRated} />;
  return (
    <>
      {answer !== undefined ? (
        <ErrorBoundary what={PLAN_PAGE.theAnswer}>
          <AnswerCard view={view} answer={answer} isReserved={isReserved} onSelectStep={onSelectStep} />
        </ErrorBoundary>
      ) : (
        isReserved && !ended && <PendingAnswer view={view} />
      )}
      {isReserved ? <div className="min-h-8.5">{rating}</div> : rating}
    </>
  );
}

function Loading() {
  return (
    <div className={PLAN} role="status" aria-label={PLAN_PAGE.loadingPlan}>
      <div className="skeleton h-27.5" />
      <div className="skeleton h-27.5" />
      <div className="skeleton h-85" />
    </div>
  );
}

type Props = {
  /** The number of the last event shown. */
  readonly seq: number;
  /** The number of the plan's last event. */
  readonly last: number;
  readonly onSeq: (seq: number) => void;
  readonly onLeave: () => void;
};

/** Steps through a plan's log: the page shows the plan as it was after the chosen event. */
function HistoryBar({ seq, last, onSeq, onLeave }: Props) {
  const id = useId();
  const [playing, setPlaying] = useState(false);
  const atEnd = seq >= last;
  useEffect(() => {
    if (!playing || atEnd) return;
    const timer = setTimeout(() => onSeq(seq + 1), EVENT_MS);
    return () => clearTimeout(timer);
  }, [playing, atEnd, seq]);
  return (
    <section className="card flex items-center gap-3 px-3.5 py-2" aria-label={HISTORY_BAR.history}>
      <IconButton
        icon={playing && !atEnd ? "paused" : "chevron"}
        label={playing && !atEnd ? HISTORY_BAR.stop : HISTORY_BAR.play}
        onClick={() => {
          if (atEnd) onSeq(1);
          setPlaying(atEnd || !playing);
        }}
      />
      <label className="visually-hidden" htmlFor={id}>
        {HISTORY_BAR.event}
      </label>
      <input
        id={id}
        className="min-w-20 flex-1 accent-accent"
        type="range"
        min={1}
        max={last}
        value={seq}
        aria-valuetext={HISTORY_BAR.position(seq, last)}
        onChange={(event) => {
          setPlaying(false);
          onSeq(event.target.valueAsNumber);
        }}
      />
      <output className="text-sm text-soft tabular-nums" htmlFor={id}>
        {HISTORY_BAR.of(seq, last)}
      </output>
      <Button onClick={onLeave}>{HISTORY_BAR.backToLive}</Button>
    </section>
  );
}

const ID_CHARS_MAX = 70;

/** Reports that the step in the address is not in the plan as shown. */
function StepMissing({ id, isPast }: { id: string; isPast: boolean }) {
  const said = id.length > ID_CHARS_MAX ? `${id.slice(0, ID_CHARS_MAX)}…` : id;
  return (
    <p className="card flex items-center gap-2 py-1.5 pr-2 pl-4" role="status">
      <Icon className="flex-none text-warn" name="alert" size={14} />
      <span className="flex-1">
        {isPast ? STEP_MISSING.thisPlanHadNo : STEP_MISSING.thisPlanHasNo}
        <code>{said}</code>
        {isPast ? STEP_MISSING.atEvent : "."}
      </span>
      <IconButton
        icon="close"
        label={STEP_MISSING.closeNote}
        onClick={() => setSearchFields({ step: undefined, item: undefined, turn: undefined })}
      />
    </p>
  );
}
