import type { CarriedStep, PlanId } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";

const PREVIEW_CHARS_MAX = 1_000;

/** What is carried over is one fact of the new plan: the largest outputs become files of it until it fits. */
export async function keepSmall(
  artifacts: ArtifactStore,
  carried: readonly CarriedStep[],
  { planId, bytesMax }: { readonly planId: PlanId; readonly bytesMax: number },
): Promise<CarriedStep[]> {
  const kept = [...carried];
  const sizes = kept.map(({ output }, index) => {
    const text = "value" in output ? JSON.stringify(output.value) : "";
    return { index, text, bytes: Buffer.byteLength(text) };
  });
  let bytes = Buffer.byteLength(JSON.stringify(kept));
  for (const { index, text, bytes: own } of sizes.toSorted((left, right) => right.bytes - left.bytes)) {
    const carriedStep = kept[index];
    if (bytes <= bytesMax || own <= PREVIEW_CHARS_MAX || carriedStep === undefined) break;
    const name = `outputs/${carriedStep.step.id}-carried.json`;
    const artifact = await artifacts.put(planId, name, Buffer.from(text), "application/json");
    const { output } = carriedStep;
    const preview = "value" in output && typeof output.value === "string" ? output.value : text;
    kept[index] = {
      ...carriedStep,
      output: { artifact, preview: preview.slice(0, PREVIEW_CHARS_MAX).toWellFormed() },
    };
    bytes -= own - PREVIEW_CHARS_MAX;
  }
  return kept;
}
