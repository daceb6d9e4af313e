import type { ReactNode } from "react";
import type { Json, StepOutput, StepView } from "../api/api-types.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { incompleteness } from "../ui/status-badge.tsx";
import { textKindOf, ArtifactView } from "../values/artifact-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import { PART_TITLE } from "./step-parts.tsx";
import { OUTPUT_VIEW, STEP_RESULT } from "./step-words.ts";

type Ran = Pick<StepView, "error" | "reason" | "output"> &
  Partial<Pick<StepView, "status" | "partial" | "failedItems" | "truncated">>;

type Props = {
  readonly planId: string;
  readonly step: Ran;
  /** Whether a text has a copy button; any other value has its own. */
  readonly canCopy?: boolean;
};

/** The result of a step or item: its output, its error with partial output, or why it did not run. */
export function StepResult({ planId, step, canCopy = true }: Props) {
  const { error, reason, output } = step;
  const lacks = step.status === "succeeded" ? incompleteness(step) : undefined;
  if (error === undefined && reason === undefined && output === undefined) return null;
  return (
    <>
      {error !== undefined && (
        <Part title={STEP_RESULT.error}>
          <div className="problem">
            <Icon name="failed" />
            <p>
              {error.message} <code>{error.code}</code>
            </p>
          </div>
        </Part>
      )}
      {reason !== undefined && (
        <Part title={STEP_RESULT.whyNotRun}>
          <p className="soft">{reason}</p>
        </Part>
      )}
      {lacks !== undefined && (
        <Part title={STEP_RESULT.missing} testId="step-incomplete">
          <p className="soft">{lacks}</p>
        </Part>
      )}
      {output !== undefined && (
        <Part
          title={error === undefined ? STEP_RESULT.output : STEP_RESULT.partialOutput}
          testId="step-output"
          copied={canCopy && "value" in output ? output.value : undefined}
        >
          <OutputView planId={planId} output={output} />
        </Part>
      )}
    </>
  );
}

type PartProps = {
  readonly title: string;
  readonly testId?: string;
  /** A text has a copy button beside the title. */
  readonly copied?: Json | undefined;
  readonly children: ReactNode;
};

function Part({ title, testId, copied, children }: PartProps) {
  return (
    <section className="grid grid-cols-1 gap-2.5" data-testid={testId}>
      <div className="flex items-center justify-between">
        <h3 className={PART_TITLE}>{title}</h3>
        {typeof copied === "string" && <CopyButton text={copied} label={STEP_RESULT.copyOutput} />}
      </div>
      {children}
    </section>
  );
}

/** An output, by its kind. If it is stored as a file too large to show: its beginning, and the file. */
export function OutputView({ planId, output }: { planId: string; output: StepOutput }) {
  if ("value" in output) return <ValueView value={output.value} planId={planId} />;
  return (
    <>
      {textKindOf(output.artifact) === undefined && (
        <pre className="text-block" tabIndex={0} aria-label={OUTPUT_VIEW.beginningOfTheOutput}>
          {output.preview}
        </pre>
      )}
      <ArtifactView planId={planId} artifact={output.artifact} />
    </>
  );
}
