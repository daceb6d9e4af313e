import type { Figure } from "@planwright/plan/compare";
import type { PlanView } from "../api/api-types.ts";
import { formatUsd } from "@planwright/plan/amounts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { formatDuration } from "../ui/format.ts";
import { FIGURES_TABLE } from "./compare-words.ts";
import styles from "./compare.module.css";

const PATH_STEPS_MAX = 30;

type Props = { readonly left: PlanView; readonly right: PlanView; readonly figures: readonly Figure[] };

/** What was counted and measured of both plans; rows without any figure are left out. */
export function FiguresTable({ left, right, figures }: Props) {
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
            <td className="number">{wordsOf(figure.left, figure.unit)}</td>
            <td className="number">{wordsOf(figure.right, figure.unit)}</td>
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

function wordsOf(value: number | null, unit: Figure["unit"]): string {
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
  return `${signOf(difference)}${wordsOf(Math.abs(difference), unit)}${share}`;
}

function signOf(difference: number): string {
  return difference > 0 ? "+" : "−";
}

function pathOf({ criticalPath: { stepIds } }: PlanView): string {
  if (stepIds.length === 0) return FIGURES_TABLE.noneYet;
  const shown = stepIds.slice(0, PATH_STEPS_MAX).join(" → ");
  return stepIds.length > PATH_STEPS_MAX ? `${shown} and ${stepIds.length - PATH_STEPS_MAX} more` : shown;
}
