import { useEffect, useState } from "react";
import type { PlanSummary, PlanView } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { formatAgo, formatDateTime } from "../ui/format.ts";
import { Loading } from "../ui/notice.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Problem } from "../ui/problem.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useNow } from "../clock/use-now.ts";
import { PLAN_CHOOSER } from "./compare-words.ts";
import styles from "./compare.module.css";

type Props = {
  readonly title: string;
  /** The plan on the other side; it is not offered. */
  readonly other: PlanView | undefined;
  readonly onChoose: (planId: string) => void;
};

const SEARCH_DELAY_MS = 250;
const PLANS_MAX = 20;
/** As much of a goal as a search takes. */
const QUERY_CHARS_MAX = 500;
const PLAN_ID = /^[\w-]{8,64}$/;

/** Chooses a plan: the one that the other was forked from or runs again, plans of the same goal, or what a search finds. */
export function PlanChooser({ title, other, onChoose }: Props) {
  const [text, setText] = useState("");
  const typed = useDelayed(text.trim());
  const isId = PLAN_ID.test(text.trim()) && text.trim() !== other?.planId;
  return (
    <section className={`${styles.chooser} card`} aria-labelledby="chooser-title">
      <h2 id="chooser-title">{title}</h2>
      {other?.fork !== undefined && (
        <Choice
          label={PLAN_CHOOSER.forkedFrom}
          detail={`at step ${other.fork.fromStep}`}
          onChoose={() => onChoose(other.fork?.planId ?? "")}
        />
      )}
      {other?.rerunOf !== undefined && (
        <Choice
          label={PLAN_CHOOSER.reRunOf}
          detail={other.rerunOf}
          onChoose={() => onChoose(other.rerunOf ?? "")}
        />
      )}
      {other?.parent !== undefined && (
        <Choice
          label={PLAN_CHOOSER.parentPlan}
          detail={`for step ${other.parent.stepId}`}
          onChoose={() => onChoose(other.parent?.planId ?? "")}
        />
      )}
      <label className={styles.chooserSearch}>
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

type FoundProps = {
  readonly name: string;
  readonly query: string;
  /** Only plans of exactly this goal. */
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
    return <Loading className={styles.chooserLoading} what={PLAN_CHOOSER.loading(name)} />;
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  const isOffered = (plan: PlanSummary) =>
    plan.planId !== other?.planId && (goal === undefined || plan.goal === goal);
  const plans = loaded.value.plans.filter(isOffered);
  return (
    <>
      <h3>{name}</h3>
      {plans.length === 0 && <EmptyState of={goal === undefined ? "compareFound" : "compareOthers"} />}
      <ul className={styles.chooserPlans} data-part="chooser-plans" aria-label={name}>
        {plans.map(({ planId, goal: asked, status, answerStatus, submittedAt }) => (
          <li key={planId}>
            <button type="button" onClick={() => onChoose(planId)}>
              <span className={styles.chooserGoal}>{asked}</span>
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
    <Button className={styles.chooserChoice} onClick={onChoose}>
      {label} <span className="soft">{detail}</span>
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
