import type { StepHistory } from "@planwright/plan/step-history";
import type { PlanView, StepView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { ViewerLink } from "../trace/viewer-link.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { saveAs } from "../ui/save-link.tsx";
import { STEP_TOOLS } from "./step-words.ts";
import styles from "./step.module.css";

type Props = {
  readonly view: Pick<PlanView, "planId" | "traceId">;
  readonly step: StepView;
  /** What the log says of it, where that has been read. */
  readonly history: StepHistory | undefined;
  /** Of its tool; absent while no span of it has come in. */
  readonly spanId: string | undefined;
};

/** What can be taken from a step: its id, its JSON, its place in the trace. */
export function StepTools({ view: { planId, traceId }, step, history, spanId }: Props) {
  const text = JSON.stringify({ ...step, attempts: history?.attempts ?? [] }, null, 2);
  const path = `/plans/${planId}?step=${encodeURIComponent(step.id)}`;
  const span = spanId === undefined ? "" : `&span=${spanId}`;
  return (
    <p className={styles.stepTools}>
      <Link href={`${path}&tab=trace${span}`}>{STEP_TOOLS.showInTheTrace}</Link>
      <ViewerLink traceId={traceId} />
      <button
        type="button"
        className={styles.buttonLink}
        onClick={() => saveAs(`${step.id}.json`, new Blob([text], { type: "application/json" }))}
      >
        {STEP_TOOLS.downloadJson}
      </button>
      <span className={styles.copies}>
        <CopyButton text={step.id} label={STEP_TOOLS.copyStepId} />
        <span aria-hidden="true">{STEP_TOOLS.id}</span>
      </span>
      <span className={styles.copies}>
        <CopyButton text={text} label={STEP_TOOLS.copyStepAsJson} />
        <span aria-hidden="true">{STEP_TOOLS.json}</span>
      </span>
    </p>
  );
}
