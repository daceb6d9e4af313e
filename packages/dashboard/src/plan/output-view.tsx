import type { StepOutput } from "../api/api-types.ts";
import { textKindOf } from "../values/artifact-text.tsx";
import { ArtifactView } from "../values/artifact-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import { OUTPUT_VIEW } from "./step-words.ts";

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
