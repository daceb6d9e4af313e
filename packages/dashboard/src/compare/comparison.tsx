import { formatUsd } from "@planwright/plan/amounts";
import type { Figure, PlanComparison } from "@planwright/plan/compare";
import { strategyName } from "@planwright/plan/strategy-name";
import type { PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDateTime, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { Changes } from "./changes.tsx";
import { COMPARISON, FIGURES_TABLE } from "./compare-words.ts";
import { ComparedSteps } from "./compared-steps.tsx";
import { TextDifference } from "./text-difference.tsx";
import styles from "./compare.module.css";

const PATH_STEPS_MAX = 30;

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

type FiguresTableProps = {
  readonly left: PlanView;
  readonly right: PlanView;
  readonly figures: readonly Figure[];
};

/** What was counted and measured of both plans; rows without any figure are left out. */
function FiguresTable({ left, right, figures }: FiguresTableProps) {
  const shown = figures.filter((figure) => (figure.left ?? 0) !== 0 || (figure.right ?? 0) !== 0);
  return (
    <section className={`card ${styles.comparePart}`} aria-labelledby="compare-figures">
      <h2 id="compare-figures">{FIGURES_TABLE.metrics}</h2>
      <ScrollTable
        label={FIGURES_TABLE.metricsOfBothPlans}
        head={[
          FIGURES_TABLE.metric,
          { number: FIGURES_TABLE.left },
          { number: FIGURES_TABLE.right },
          { number: FIGURES_TABLE.difference },
        ]}
      >
        {shown.map((figure) => (
          <tr key={figure.name}>
            <th scope="row">{figure.name}</th>
            <td className="number">{figureText(figure.left, figure.unit)}</td>
            <td className="number">{figureText(figure.right, figure.unit)}</td>
            <td className="number">{differenceOf(figure)}</td>
          </tr>
        ))}
      </ScrollTable>
      <dl className="facts">
        <dt>{FIGURES_TABLE.criticalPathLeft}</dt>
        <dd>{pathOf(left)}</dd>
        <dt>{FIGURES_TABLE.criticalPathRight}</dt>
        <dd>{pathOf(right)}</dd>
      </dl>
    </section>
  );
}

function figureText(value: number | null, unit: Figure["unit"]): string {
  if (value === null) return "unknown";
  if (unit === "ms") return formatDuration(value);
  return unit === "usd" ? formatUsd(value) : value.toLocaleString("en");
}

function differenceOf({ left, right, unit }: Figure): string {
  if (left === null || right === null) return "";
  const difference = right - left;
  if (difference === 0) return "none";
  const share =
    left === 0 ? "" : ` (${signOf(difference)}${Math.round((Math.abs(difference) / left) * 100)} %)`;
  return `${signOf(difference)}${figureText(Math.abs(difference), unit)}${share}`;
}

function signOf(difference: number): string {
  return difference > 0 ? "+" : "−";
}

function pathOf({ criticalPath: { stepIds } }: PlanView): string {
  if (stepIds.length === 0) return FIGURES_TABLE.noneYet;
  const shown = stepIds.slice(0, PATH_STEPS_MAX).join(" → ");
  return stepIds.length > PATH_STEPS_MAX ? `${shown} and ${stepIds.length - PATH_STEPS_MAX} more` : shown;
}
