import type { StepOutput, StepView } from "../api/api-types.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { incompleteness } from "../ui/status-badge.tsx";
import { textKindOf, ArtifactView } from "../values/artifact-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import { OUTPUT_VIEW, STEP_RESULT } from "./step-words.ts";
import styles from "./step.module.css";

type Ran = Pick<StepView, "error" | "reason" | "output"> &
  Partial<Pick<StepView, "status" | "partial" | "failedItems" | "truncated">>;

type Props = {
  readonly planId: string;
  readonly step: Ran;
  /** Whether a text has a button that copies it; any other value has its own. */
  readonly canCopy?: boolean;
};

/** What a step, or one item of it, came to: its output, its error with what it had delivered, or why it did not run. */
export function StepResult({ planId, step, canCopy = true }: Props) {
  const { error, reason, output } = step;
  const lacks = step.status === "succeeded" ? incompleteness(step) : undefined;
  if (error === undefined && reason === undefined && output === undefined) return null;
  return (
    <>
      {error !== undefined && (
        <section>
          <h3>{STEP_RESULT.error}</h3>
          <div className="problem">
            <Icon name="failed" />
            <p>
              {error.message} <code>{error.code}</code>
            </p>
          </div>
        </section>
      )}
      {reason !== undefined && (
        <section>
          <h3>{STEP_RESULT.whyNotRun}</h3>
          <p className="soft">{reason}</p>
        </section>
      )}
      {lacks !== undefined && (
        <section data-testid="step-incomplete">
          <h3>{STEP_RESULT.missing}</h3>
          <p className="soft">{lacks}</p>
        </section>
      )}
      {output !== undefined && (
        <section data-testid="step-output">
          <div className={styles.outputHead}>
            <h3>{error === undefined ? STEP_RESULT.output : STEP_RESULT.partialOutput}</h3>
            {canCopy && "value" in output && typeof output.value === "string" && (
              <CopyButton text={output.value} label={STEP_RESULT.copyOutput} />
            )}
          </div>
          <OutputView planId={planId} output={output} />
        </section>
      )}
    </>
  );
}

/** An output by its kind; of one that is kept as a file too large to be shown its beginning, and the file. */
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
