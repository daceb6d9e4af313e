import type { PlanView, StepView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { ViewerLink } from "../trace/viewer-link.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { saveAs } from "../ui/save-link.tsx";

type Props = {
  readonly view: Pick<PlanView, "planId" | "traceId">;
  readonly step: StepView;
  /** Of its tool; absent while no span of it has come in. */
  readonly spanId: string | undefined;
};

/** What can be taken from a step: a link to it, its JSON, its place in the trace. */
export function StepTools({ view: { planId, traceId }, step, spanId }: Props) {
  const path = `/plans/${planId}?step=${encodeURIComponent(step.id)}`;
  const span = spanId === undefined ? "" : `&span=${spanId}`;
  return (
    <p className="step-tools">
      <Link href={`${path}&tab=trace${span}`}>Show in the trace</Link>
      <ViewerLink traceId={traceId} />
      <button type="button" className="button-link" onClick={() => download(step)}>
        Download JSON
      </button>
      <span className="copies">
        <CopyButton text={step.id} label="Copy the step's id" />
        <span aria-hidden="true">id</span>
      </span>
      <span className="copies">
        <CopyButton text={JSON.stringify(step, null, 2)} label="Copy the step as JSON" />
        <span aria-hidden="true">JSON</span>
      </span>
      <span className="copies">
        <CopyButton text={new URL(path, location.origin).href} label="Copy a link to the step" />
        <span aria-hidden="true">link</span>
      </span>
    </p>
  );
}

function download(step: StepView): void {
  saveAs(`${step.id}.json`, new Blob([JSON.stringify(step, null, 2)], { type: "application/json" }));
}
