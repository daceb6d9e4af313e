import { type CarriedFile, type CarriedStep, type Json, listsIn, type PlanId } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";

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
    const artifact = await artifacts.put(planId, name, Buffer.from(text), "application/json");
    const preview = (typeof value === "string" ? value : text).slice(0, PREVIEW_CHARS_MAX).toWellFormed();
    const file = { artifact, lists: listsIn(value) };
    kept[index] =
      item === undefined
        ? { ...step, output: { ...file, preview } }
        : withFile(step, { ...file, item }, preview);
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
function withFile(step: CarriedStep, file: CarriedFile, preview: string): CarriedStep {
  const { output, files = [] } = step;
  if (!("value" in output) || !Array.isArray(output.value)) return step;
  const { name, contentType, bytes } = file.artifact;
  const value = output.value.with(file.item, { artifact: name, contentType, bytes, preview });
  return { ...step, output: { value }, files: [...files, file] };
}
