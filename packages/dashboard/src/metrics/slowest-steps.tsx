import type { Metrics } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { SLOWEST_STEPS } from "./metrics-words.ts";
import { timeText } from "./number-words.ts";
import styles from "./metrics.module.css";

type SlowStep = NonNullable<Metrics["slowestSteps"]>[number];

/** The single steps of the range that took longest; each leads to its place in its plan. */
export function SlowestSteps({ steps }: { readonly steps: readonly SlowStep[] }) {
  return (
    <section className={`${styles.plot} card`} aria-labelledby="slowest-steps">
      <h2 id="slowest-steps">{SLOWEST_STEPS.title}</h2>
      {steps.length === 0 ? (
        <p>{SLOWEST_STEPS.none}</p>
      ) : (
        <div className="scroll-x" tabIndex={0} role="group" aria-labelledby="slowest-steps">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{SLOWEST_STEPS.step}</th>
                <th scope="col">{SLOWEST_STEPS.tool}</th>
                <th scope="col" className="number">
                  {SLOWEST_STEPS.duration}
                </th>
                <th scope="col">{SLOWEST_STEPS.plan}</th>
              </tr>
            </thead>
            <tbody>
              {steps.map((step) => (
                <Row key={hrefOf(step)} step={step} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ step }: { readonly step: SlowStep }) {
  const { planId, goal, stepId, item, tool, durationMs, failed } = step;
  return (
    <tr>
      <th scope="row">
        <Link href={hrefOf(step)}>
          <code>{stepId}</code>
          {item !== undefined && ` ${SLOWEST_STEPS.item(item)}`}
        </Link>
      </th>
      <td>
        <code>{tool}</code>
      </td>
      <td className="number">
        {timeText(durationMs)}
        {failed && <span className={`badge tone-bad ${styles.slowFailed}`}>{SLOWEST_STEPS.failed}</span>}
      </td>
      <td>
        <Link href={`/plans/${encodeURIComponent(planId)}`}>{goal}</Link>
      </td>
    </tr>
  );
}

function hrefOf({ planId, stepId, item }: SlowStep): string {
  const place = new URLSearchParams({ step: stepId, ...(item === undefined ? {} : { item: String(item) }) });
  return `/plans/${encodeURIComponent(planId)}?${place.toString()}`;
}
