import type { StepView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { ArtifactView } from "../values/artifact-view.tsx";
import { ValueView } from "../values/value-view.tsx";

/** What a step came to: its output, its error, or why it did not run. */
export function StepResult({ planId, step }: { planId: string; step: StepView }) {
  if (step.error !== undefined) {
    return (
      <section>
        <h3>Error</h3>
        <div className="problem">
          <Icon name="failed" />
          <p>
            {step.error.message} <code>{step.error.code}</code>
          </p>
        </div>
      </section>
    );
  }
  if (step.reason !== undefined) {
    return (
      <section>
        <h3>Why it did not run</h3>
        <p className="soft">{step.reason}</p>
      </section>
    );
  }
  if (step.output === undefined) return null;
  return (
    <section data-testid="step-output">
      <h3>Output</h3>
      {"value" in step.output ? (
        <ValueView value={step.output.value} planId={planId} />
      ) : (
        <>
          <ArtifactView planId={planId} artifact={step.output.artifact} />
          <pre className="text-block">{step.output.preview}</pre>
        </>
      )}
    </section>
  );
}
