/** Two plans side by side; `?left=` and `?right=` name them, so that a comparison can be linked to. */
import { comparePlans } from "@planwright/plan/compare";
import { useMemo } from "react";
import type { PlanView } from "../api/api-types.ts";
import { useLivePlan } from "../live/use-live-plan.ts";
import { usePageTitle } from "../notify/page-title.ts";
import { navigate, useSearchField } from "../router/use-route.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Loaded } from "../ui/use-loaded.ts";
import { Comparison } from "./comparison.tsx";
import { PlanChooser } from "./plan-chooser.tsx";
import { COMPARE_PAGE } from "./compare-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import styles from "./compare.module.css";

export function ComparePage() {
  const [left] = useSearchField("left");
  const [right] = useSearchField("right");
  usePageTitle(COMPARE_PAGE.comparePlans);
  return (
    <article className={styles.compare} aria-labelledby="compare-title">
      <header>
        <h1 id="compare-title">{COMPARE_PAGE.comparePlans}</h1>
      </header>
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
    return view === undefined ? <Loading /> : choose(COMPARE_PAGE.compareWith(shortOf(view)));
  if (right === left) {
    return (
      <>
        <Notice icon="info" title={COMPARE_PAGE.samePlan}>
          <p>{COMPARE_PAGE.chooseOther}</p>
        </Notice>
        {view === undefined ? <Loading /> : choose(COMPARE_PAGE.compareItWith)}
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
  if (left === undefined || view === undefined || comparison === undefined) return <Loading />;
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

function Loading() {
  return (
    <div className={styles.compareLoading} role="status" aria-label={COMPARE_PAGE.loadingPlans}>
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  );
}

const GOAL_CHARS_MAX = 80;

function shortOf({ goal }: PlanView): string {
  return goal.length > GOAL_CHARS_MAX ? `${goal.slice(0, GOAL_CHARS_MAX)}…` : goal;
}
