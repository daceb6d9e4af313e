import { formatUsd } from "@planwright/plan/amounts";
import { strategyName } from "@planwright/plan/strategy-name";
import type { PlanView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { CompareWithOriginLink } from "../compare/compare-link.tsx";
import { Link } from "../router/link.tsx";
import { formatDateTime, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { usageWords } from "./budget-rows.ts";
import { HEADER_WORDS } from "./header-words.ts";
import { PlanMenu } from "./plan-menu.tsx";
import { ProgressBar, ProgressWords } from "./plan-progress.tsx";
import { PlanTrail } from "./plan-trail.tsx";
import { PrimaryActions } from "./primary-actions.tsx";
import styles from "./plan-header.module.css";

type Props = {
  readonly view: PlanView;
  /** It is shown as it was: nothing can be done to it. */
  readonly isPast: boolean;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
};

/** What was asked, how far it is, and what can be done now; everything else is in the menu. */
export function PlanHeader({ view, isPast, onChanged, onHistory }: Props) {
  const elapsedMs = Math.max(0, usePlanNow() - Date.parse(view.submittedAt));
  return (
    <header className={styles.planHeader} data-part="plan-header">
      <PlanTrail view={view} />
      <div className={styles.planTitle}>
        <Link className={styles.planBack} href="/">
          <Icon name="back" size={14} />
          {HEADER_WORDS.back}
        </Link>
        <h1 className={styles.planGoal} data-part="plan-goal" title={view.goal}>
          {view.goal}
        </h1>
        {!isPast && (
          <div className={styles.planControls} role="group" aria-label={HEADER_WORDS.controls}>
            <PrimaryActions view={view} onChanged={onChanged} />
            <PlanMenu view={view} onChanged={onChanged} onHistory={onHistory} />
          </div>
        )}
      </div>
      <div className={styles.planFacts} data-part="plan-facts">
        <PlanStatusBadge status={view.status} answer={view.answer?.status} />
        <span title={HEADER_WORDS.submitted(formatDateTime(view.submittedAt))}>
          <Icon name="clock" size={14} /> {formatDuration(elapsedMs)}
        </span>
        <Cost usage={view.usage} />
        <span className={styles.progressWords}>
          <ProgressWords view={view} />
        </span>
        <span>{strategyName(view.strategy)}</span>
        <CompareWithOriginLink view={view} />
        {view.revision > 0 && <span>{HEADER_WORDS.revision(view.revision)}</span>}
      </div>
      <ProgressBar view={view} />
    </header>
  );
}

/** What the models cost; the tokens where no price is known. Nothing for a plan that has asked none. */
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
