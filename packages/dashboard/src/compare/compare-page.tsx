/** Two plans side by side; `?left=` and `?right=` name them, so that links to a comparison work. */
import { comparePlans } from "@planwright/plan/compare";
import { useMemo, useEffect, useState } from "react";
import type { PlanView, PlanSummary } from "../api/api-types.ts";
import { useLivePlan } from "../live/use-live-plan.ts";
import { usePageTitle } from "../notify/page-title.ts";
import { navigate, useSearchField } from "../router/use-route.ts";
import { Button } from "../ui/button.tsx";
import { Notice, Loading } from "../ui/notice.tsx";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";
import { Comparison } from "./comparison.tsx";
import { PAIR } from "./compare-part.tsx";
import { COMPARE_PAGE, PLAN_CHOOSER } from "./compare-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import { useServices } from "../shell/services.ts";
import { formatAgo, formatDateTime } from "../ui/format.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Problem } from "../ui/problem.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { useNow } from "../clock/use-now.ts";

export function ComparePage() {
  const [left] = useSearchField("left");
  const [right] = useSearchField("right");
  usePageTitle(COMPARE_PAGE.comparePlans);
  return (
    <article
      className="@container mx-auto grid max-w-[1400px] grid-cols-1 content-start gap-4 px-7 pt-5.5 pb-15 max-lg:px-3.5 max-lg:pt-3.5 max-lg:pb-12"
      aria-labelledby="compare-title"
    >
      <h1 className="text-xl" id="compare-title">
        {COMPARE_PAGE.comparePlans}
      </h1>
      {left === undefined ? (
        <PlanChooser title={COMPARE_PAGE.whichPlan} other={undefined} onChoose={(id) => go(id, right)} />
      ) : (
        <WithLeft key={left} left={left} right={right === "" ? undefined : right} />
      )}
    </article>
  );
}

function go(left: string, right: string | undefined): void {
  const fields = new URLSearchParams({ left, ...(right === undefined ? {} : { right }) });
  navigate(`/compare?${fields.toString()}`);
}

function WithLeft({ left, right }: { left: string; right: string | undefined }) {
  const loaded = usePlanView(left);
  const view = loaded.phase === "ready" ? loaded.value : undefined;
  const choose = (title: string) => (
    <PlanChooser title={title} other={view} onChoose={(id) => go(left, id)} />
  );
  if (loaded.phase === "failed") {
    return (
      <>
        <Unreadable id={left} loaded={loaded} />
        <PlanChooser
          title={COMPARE_PAGE.chooseAnotherLeftPlan}
          other={undefined}
          onChoose={(id) => go(id, right)}
        />
      </>
    );
  }
  if (right === undefined)
    return view === undefined ? <LoadingPlans /> : choose(COMPARE_PAGE.compareWith(shortOf(view)));
  if (right === left) {
    return (
      <>
        <Notice icon="info" title={COMPARE_PAGE.samePlan}>
          <p>{COMPARE_PAGE.chooseOther}</p>
        </Notice>
        {view === undefined ? <LoadingPlans /> : choose(COMPARE_PAGE.compareItWith)}
      </>
    );
  }
  return <WithBoth key={right} left={view} leftId={left} right={right} />;
}

function WithBoth({ left, leftId, right }: { left: PlanView | undefined; leftId: string; right: string }) {
  const loaded = usePlanView(right);
  const view = loaded.phase === "ready" ? loaded.value : undefined;
  const comparison = useMemo(
    () => (left === undefined || view === undefined ? undefined : comparePlans(left, view)),
    [left, view],
  );
  if (loaded.phase === "failed") {
    return (
      <>
        <Unreadable id={right} loaded={loaded} />
        <PlanChooser
          title={COMPARE_PAGE.chooseAnotherRightPlan}
          other={left}
          onChoose={(id) => go(leftId, id)}
        />
      </>
    );
  }
  if (left === undefined || view === undefined || comparison === undefined) return <LoadingPlans />;
  return <Comparison left={left} right={view} comparison={comparison} onSwap={() => go(right, leftId)} />;
}

/** The plan's view, updated live while the plan is running. */
function usePlanView(planId: string): Loaded<PlanView> {
  const { state, reload } = useLivePlan(planId);
  if (state.phase === "ready") return { phase: "ready", value: state.view };
  return state.phase === "failed" ? { ...state, again: reload } : state;
}

function Unreadable({ id, loaded }: { id: string; loaded: Extract<Loaded<PlanView>, { phase: "failed" }> }) {
  const isUnknown = loaded.error.status === 404;
  return (
    <Notice icon="alert" title={isUnknown ? COMPARE_PAGE.planNotFound(id) : COMPARE_PAGE.cannotLoadPlan(id)}>
      <p>{loaded.error.message}</p>
      <Button onClick={loaded.again}>{COMMON.tryAgain}</Button>
    </Notice>
  );
}

function LoadingPlans() {
  return (
    <div className={PAIR} role="status" aria-label={COMPARE_PAGE.loadingPlans}>
      <div className="skeleton h-55" />
      <div className="skeleton h-55" />
    </div>
  );
}

const GOAL_CHARS_MAX = 80;

function shortOf({ goal }: PlanView): string {
  return goal.length > GOAL_CHARS_MAX ? `${goal.slice(0, GOAL_CHARS_MAX)}…` : goal;
}

type Props = {
  readonly title: string;
  /** The plan on the other side, which is not offered. */
  readonly other: PlanView | undefined;
  readonly onChoose: (planId: string) => void;
};

const SEARCH_DELAY_MS = 250;
const PLANS_MAX = 20;
/** The length of a goal that a search accepts. */
const QUERY_CHARS_MAX = 500;
const PLAN_ID = /^[\w-]{8,64}$/;

/** Chooses a plan: the origin of the other one, plans with the same goal, or search results. */
function PlanChooser({ title, other, onChoose }: Props) {
  const [text, setText] = useState("");
  const typed = useDelayed(text.trim());
  const isId = PLAN_ID.test(text.trim()) && text.trim() !== other?.planId;
  return (
    <section
      className="card grid grid-cols-1 justify-items-start gap-3 px-4.5 py-4"
      aria-labelledby="chooser-title"
    >
      <h2 className="text-base" id="chooser-title">
        {title}
      </h2>
      {other !== undefined &&
        originsOf(other).map(({ planId, label, detail }) => (
          <Choice key={label} label={label} detail={detail} onChoose={() => onChoose(planId)} />
        ))}
      <label className="grid w-full max-w-[520px] gap-1 text-sm text-soft">
        {PLAN_CHOOSER.search}
        <input
          className="field"
          type="search"
          value={text}
          maxLength={QUERY_CHARS_MAX}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {isId && (
        <Choice label={PLAN_CHOOSER.withThisId} detail={text.trim()} onChoose={() => onChoose(text.trim())} />
      )}
      {typed !== "" && <Found name={PLAN_CHOOSER.found} query={typed} other={other} onChoose={onChoose} />}
      {typed === "" && other !== undefined && (
        <Found
          name={PLAN_CHOOSER.sameGoal}
          query={other.goal.trim()}
          goal={other.goal}
          other={other}
          onChoose={onChoose}
        />
      )}
      {typed === "" && <Found name={PLAN_CHOOSER.latestPlans} query="" other={other} onChoose={onChoose} />}
    </section>
  );
}

/** The plans that a plan was forked from or runs again. */
function originsOf({ fork, rerunOf, parent }: PlanView) {
  return [
    fork && { planId: fork.planId, label: PLAN_CHOOSER.forkedFrom, detail: `at step ${fork.fromStep}` },
    rerunOf !== undefined && { planId: rerunOf, label: PLAN_CHOOSER.reRunOf, detail: rerunOf },
    parent && { planId: parent.planId, label: PLAN_CHOOSER.parentPlan, detail: `for step ${parent.stepId}` },
  ].filter((origin) => origin !== undefined && origin !== false);
}

type FoundProps = {
  readonly name: string;
  readonly query: string;
  /** Only plans with exactly this goal. */
  readonly goal?: string;
  readonly other: PlanView | undefined;
  readonly onChoose: (planId: string) => void;
};

function Found({ name, query, goal, other, onChoose }: FoundProps) {
  const { gateway } = useServices();
  const now = useNow(10_000);
  const q = query.slice(0, QUERY_CHARS_MAX);
  const loaded = useLoaded(q, 0, (signal) => gateway.plans({ q, limit: PLANS_MAX }, signal));
  if (loaded.phase === "loading")
    return <Loading className="h-22.5 w-full" what={PLAN_CHOOSER.loading(name)} />;
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  const isOffered = (plan: PlanSummary) =>
    plan.planId !== other?.planId && (goal === undefined || plan.goal === goal);
  const plans = loaded.value.plans.filter(isOffered);
  return (
    <>
      <h3 className="text-sm text-soft">{name}</h3>
      {plans.length === 0 && (
        <EmptyState
          className="items-start px-0 py-1 text-left"
          of={goal === undefined ? "compareFound" : "compareOthers"}
        />
      )}
      <ul className="w-full" data-part="chooser-plans" aria-label={name}>
        {plans.map(({ planId, goal: asked, status, answerStatus, submittedAt }) => (
          <li key={planId}>
            <button
              type="button"
              className="flex w-full flex-wrap items-center gap-x-3.5 gap-y-1 border-0 border-b border-line bg-transparent px-2.5 py-2 text-left text-sm text-soft hover:bg-sunken"
              onClick={() => onChoose(planId)}
            >
              <span className="flex-[1_1_260px] truncate text-ink">{asked}</span>
              <PlanStatusBadge status={status} answer={answerStatus} plain />
              <span title={formatDateTime(submittedAt)}>{formatAgo(submittedAt, now)}</span>
              <code>{planId}</code>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Choice({ label, detail, onChoose }: { label: string; detail: string; onChoose: () => void }) {
  return (
    <Button onClick={onChoose}>
      {label} <span className="font-normal text-soft">{detail}</span>
    </Button>
  );
}

function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}
