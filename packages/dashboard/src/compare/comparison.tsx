import { strategyName } from "@planwright/plan/strategy-name";
import type { PlanComparison } from "@planwright/plan/compare";
import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDateTime } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { Changes } from "./changes.tsx";
import { ComparedSteps } from "./compared-steps.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { TextDifference } from "./text-difference.tsx";
import { COMPARISON } from "./compare-words.ts";
import styles from "./compare.module.css";

type Props = {
  readonly left: PlanView;
  readonly right: PlanView;
  readonly comparison: PlanComparison;
  readonly onSwap: () => void;
};

/** The differences between two plans, followed by what they have in common. */
export function Comparison({ left, right, comparison, onSwap }: Props) {
  const { changes, figures, answer, counts, fork } = comparison;
  // The headers show these fields already.
  const told = changes.filter(({ field }) => field !== "goal" && field !== "status");
  return (
    <>
      <div className={styles.compareHeads}>
        <PlanHead side={COMPARISON.left} view={left} />
        <PlanHead side={COMPARISON.right} view={right} />
      </div>
      <p className={styles.compareSummary} role="status">
        <strong>{wordsOf(comparison)}</strong>
        {fork !== undefined && (
          <span>
            {COMPARISON.forkOf(fork.side)} <code>{fork.fromStep}</code> {COMPARISON.on}
          </span>
        )}
        <Button onClick={onSwap}>{COMPARISON.swapSides}</Button>
      </p>
      {told.length > 0 && (
        <section className={`card ${styles.comparePart}`} aria-labelledby="compare-planned">
          <h2 id="compare-planned">{COMPARISON.planDetails}</h2>
          <Changes changes={told} />
        </section>
      )}
      <section className={`card ${styles.comparePart}`} aria-labelledby="compare-answer">
        <h2 id="compare-answer">
          {COMPARISON.answer}{" "}
          {left.answer === undefined && right.answer === undefined
            ? COMPARISON.noneYet
            : answer.isSame
              ? COMPARISON.theSame
              : COMPARISON.different}
        </h2>
        {answer.status.left !== answer.status.right && (
          <p className="soft">
            {answer.status.left ?? COMPARISON.noneYet} → {answer.status.right ?? COMPARISON.noneYet}
          </p>
        )}
        {answer.data === "different" && <p className="soft">{COMPARISON.dataDiffers}</p>}
        <TextDifference parts={answer.text} />
      </section>
      <ComparedSteps left={left} right={right} steps={comparison.steps} counts={counts} />
      <FiguresTable left={left} right={right} figures={figures} />
    </>
  );
}

function PlanHead({ side, view }: { side: string; view: PlanView }) {
  return (
    <section className={`${styles.compareHead} card`} aria-label={side}>
      <h2>
        <span className={styles.compareSide}>{side}</span>
        <Link href={`/plans/${encodeURIComponent(view.planId)}`}>{view.goal}</Link>
      </h2>
      <p>
        <PlanStatusBadge status={view.status} answer={view.answer?.status} />
        <span>{strategyName(view.strategy)}</span>
        <span>
          <Icon name="clock" size={13} /> {formatDateTime(view.submittedAt)}
        </span>
        <code>{view.planId}</code>
      </p>
    </section>
  );
}

function wordsOf({ counts, answer, changes }: PlanComparison): string {
  const different = counts.changed + counts["only-left"] + counts["only-right"];
  if (different === 0 && answer.isSame && changes.length === 0) return COMPARISON.noDifferences;
  const parts = [
    counts.changed > 0 && `${formatCount(counts.changed, "step")} different`,
    counts["only-left"] > 0 && COMPARISON.onlyLeft(formatCount(counts["only-left"], "step")),
    counts["only-right"] > 0 && COMPARISON.onlyRight(formatCount(counts["only-right"], "step")),
    counts.same > 0 && COMPARISON.stepsTheSame(formatCount(counts.same, "step")),
  ];
  return `${parts.filter((part) => part !== false).join(", ")}.`;
}
