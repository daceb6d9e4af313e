import type { StepHistory } from "@planwright/plan/step-history";
import type { PlanView, StepView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { ViewerLink } from "../trace/viewer-link.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { saveAs } from "../ui/save-link.tsx";
import { STEP_TOOLS } from "./step-words.ts";

type Props = {
  readonly view: Pick<PlanView, "planId" | "traceId">;
  readonly step: StepView;
  /** The step's entries in the log, once it has been read. */
  readonly history: StepHistory | undefined;
  /** The tool's span; absent until one arrives. */
  readonly spanId: string | undefined;
};

/** Copies or opens the step's id, its JSON and its place in the trace. */
export function StepTools({ view: { planId, traceId }, step, history, spanId }: Props) {
  const text = JSON.stringify({ ...step, attempts: history?.attempts ?? [] }, null, 2);
  const path = `/plans/${planId}?step=${encodeURIComponent(step.id)}`;
  const span = spanId === undefined ? "" : `&span=${spanId}`;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <Link href={`${path}&tab=trace${span}`}>{STEP_TOOLS.showInTheTrace}</Link>
      <ViewerLink traceId={traceId} />
      <button
        type="button"
        className="border-0 bg-transparent p-0 text-accent-strong underline"
        onClick={() => saveAs(`${step.id}.json`, new Blob([text], { type: "application/json" }))}
      >
        {STEP_TOOLS.downloadJson}
      </button>
      <Copied text={step.id} label={STEP_TOOLS.copyStepId} word={STEP_TOOLS.id} />
      <Copied text={text} label={STEP_TOOLS.copyStepAsJson} word={STEP_TOOLS.json} />
    </p>
  );
}

function Copied({ text, label, word }: { text: string; label: string; word: string }) {
  return (
    <span className="inline-flex items-center text-soft">
      <CopyButton text={text} label={label} />
      <span aria-hidden="true">{word}</span>
    </span>
  );
}
