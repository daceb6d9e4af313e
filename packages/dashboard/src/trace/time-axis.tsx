import { formatDuration } from "../ui/format.ts";
import styles from "./trace.module.css";

const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;

export function TimeAxis({ durationMs }: { durationMs: number }) {
  return (
    <div className={styles.traceAxis} aria-hidden="true">
      {TICKS.map((share) => (
        <span key={share} style={{ left: `${share * 100}%` }}>
          {share === 0 ? "0" : formatDuration(durationMs * share)}
        </span>
      ))}
    </div>
  );
}
