import type { Period, PeriodFigures } from "../api/api-types.ts";
import { periodText } from "./period-text.ts";
import styles from "./metrics.module.css";

/** Below a plot: when its first and its last period begin. */
export function PlotEnds({ periods, period }: { periods: readonly PeriodFigures[]; period: Period }) {
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <p className={styles.plotEnds}>
      <span>{periodText(first.from, period)}</span>
      <span>{periodText(last.from, period)}</span>
    </p>
  );
}
