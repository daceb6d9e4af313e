import type { CarriedStep, Json, PlanId, StepOutput } from "@planwright/plan";
import { type ArtifactStore, spill } from "@planwright/shared/artifacts";

/** What the preview of a file takes up; what is not larger stays. */
const PREVIEW_CHARS_MAX = 1_000;

/** What can become a separate file: a step's output, or one of a list of results of which some are files already. */
type Part = { readonly index: number; readonly item?: number; readonly value: Json; readonly text: string };

/** What is carried over is one fact of the new plan: the largest outputs become files of it until it fits. */
export async function keepSmall(
  artifacts: ArtifactStore,
  carried: readonly CarriedStep[],
  { planId, bytesMax }: { readonly planId: PlanId; readonly bytesMax: number },
): Promise<CarriedStep[]> {
  const kept = [...carried];
  const parts = kept.flatMap(partsOf).map((part) => ({ ...part, bytes: Buffer.byteLength(part.text) }));
  let bytes = Buffer.byteLength(JSON.stringify(kept));
  for (const { bytes: own, ...part } of parts.toSorted((left, right) => right.bytes - left.bytes)) {
    const { index, item, text, value } = part;
    const step = kept[index];
    if (bytes <= bytesMax || own <= PREVIEW_CHARS_MAX || step === undefined) break;
    const of = item === undefined ? "" : `-${item}`;
    const name = `outputs/${step.step.id}-carried${of}.json`;
    const output = await spill(artifacts, value, { planId, name, bytesMax: 0, json: text });
    kept[index] = item === undefined ? { ...step, output } : withFile(step, item, output);
    bytes -= own - PREVIEW_CHARS_MAX;
  }
  return kept;
}

function partsOf({ output, files }: CarriedStep, index: number): Part[] {
  if (!("value" in output)) return [];
  const { value } = output;
  if (files === undefined || !Array.isArray(value)) return [{ index, value, text: JSON.stringify(value) }];
  const isFile = new Set(files.map(({ item }) => item));
  return value.flatMap((one, item) =>
    isFile.has(item) ? [] : [{ index, item, value: one, text: JSON.stringify(one) }],
  );
}

/** The step with one more of its results as a file; what is known of it is in the list. */
function withFile(step: CarriedStep, item: number, spilled: StepOutput): CarriedStep {
  const { output, files = [] } = step;
  if (!("artifact" in spilled) || !("value" in output) || !Array.isArray(output.value)) return step;
  const { artifact, preview, lists } = spilled;
  const { name, contentType, bytes } = artifact;
  const value = output.value.with(item, { artifact: name, contentType, bytes, preview });
  const file = { item, artifact, ...(lists === undefined ? {} : { lists }) };
  return { ...step, output: { value }, files: [...files, file] };
}
