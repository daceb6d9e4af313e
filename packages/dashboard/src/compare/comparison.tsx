import { formatUsd } from "@planwright/plan/amounts";
import type { Figure, PlanComparison } from "@planwright/plan/compare";
import type { AnswerStatus, PlanView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDateTime, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { Changes } from "./changes.tsx";
import { ComparePart, PAIR, SideName } from "./compare-part.tsx";
import { ANSWER_NAMES } from "../plan/plan-words.ts";
import { strategyLabel } from "../plans/planned-by-select.tsx";
import { COMPARISON, COUNTED_KINDS, FIGURES_TABLE } from "./compare-words.ts";
import { ComparedSteps } from "./compared-steps.tsx";
import { TextDifference } from "./text-difference.tsx";

const PATH_STEPS_MAX = 30;
const KINDS = ["changed", "only-left", "only-right", "same"] as const;

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
  const told = changes
    .filter(({ field }) => field !== "goal" && field !== "status")
    .map((change) =>
      change.field === "strategy"
        ? { ...change, left: strategyLabel(left.strategy), right: strategyLabel(right.strategy) }
        : change,
    );
  const hasAnswer = left.answer !== undefined || right.answer !== undefined;
  const outcome = answer.isSame ? COMPARISON.theSame : COMPARISON.different;
  return (
    <>
      <div className={PAIR}>
        <PlanHead side={COMPARISON.left} view={left} />
        <PlanHead side={COMPARISON.right} view={right} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5" role="status">
        <strong>{wordsOf(comparison)}</strong>
        {fork !== undefined && (
          <span>
            {COMPARISON.forkOf(fork.side)} <code>{fork.fromStep}</code>.
          </span>
        )}
        <Button className="ml-auto" onClick={onSwap}>
          {COMPARISON.swapSides}
        </Button>
      </p>
      {told.length > 0 && (
        <ComparePart id="compare-planned" title={COMPARISON.planDetails}>
          <Changes changes={told} />
        </ComparePart>
      )}
      <ComparePart id="compare-answer" title={COMPARISON.answer(hasAnswer ? outcome : COMPARISON.noneYet)}>
        {answer.status.left !== answer.status.right && (
          <p className="soft">
            {answerName(answer.status.left)} → {answerName(answer.status.right)}
          </p>
        )}
        {answer.data === "different" && <p className="soft">{COMPARISON.dataDiffers}</p>}
        <TextDifference parts={answer.text} />
      </ComparePart>
      <ComparedSteps left={left} right={right} steps={comparison.steps} counts={counts} />
      <FiguresTable left={left} right={right} figures={figures} />
    </>
  );
}

function PlanHead({ side, view }: { side: string; view: PlanView }) {
  return (
    <section className="card grid content-start gap-2 px-4 py-3" aria-label={side}>
      <h2 className="text-base">
        <SideName side={side} />
        {/* The link itself is clipped: otherwise it would overlap what follows. */}
        <Link className="line-clamp-3" href={`/plans/${encodeURIComponent(view.planId)}`}>
          {view.goal}
        </Link>
      </h2>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <PlanStatusBadge status={view.status} answer={view.answer?.status} />
        <span>{strategyLabel(view.strategy)}</span>
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
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind, index) => {
    const count = index === 0 ? formatCount(counts[kind], "step") : counts[kind].toLocaleString("en");
    return `${count} ${COUNTED_KINDS[kind]}`;
  });
  return `${parts.join(", ")}.`;
}

function answerName(status: AnswerStatus | undefined): string {
  return status === undefined ? COMPARISON.noneYet : ANSWER_NAMES[status];
}

type FiguresTableProps = {
  readonly left: PlanView;
  readonly right: PlanView;
  readonly figures: readonly Figure[];
};

/** The metrics of both plans; rows without any value are omitted. */
function FiguresTable({ left, right, figures }: FiguresTableProps) {
  const shown = figures.filter((figure) => (figure.left ?? 0) !== 0 || (figure.right ?? 0) !== 0);
  return (
    <ComparePart id="compare-figures" title={FIGURES_TABLE.metrics}>
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
          <tr key={figure.name} className="group">
            <th
              className="bg-transparent text-sm font-normal whitespace-normal group-last:border-b-0"
              scope="row"
            >
              {figure.name}
            </th>
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
    </ComparePart>
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
    left === 0 ? "" : ` (${signOf(difference)}${Math.round((Math.abs(difference) / left) * 100)}%)`;
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
