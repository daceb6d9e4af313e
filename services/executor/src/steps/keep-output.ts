import {
  type Json,
  JsonValue,
  OUTPUT_INLINE_BYTES_MAX,
  type StepOutput,
  type StepWork,
} from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import { PermanentError } from "@planwright/shared/errors";

const PREVIEW_CHARS_MAX = 1_000;

/**
 * A step's output as its fact carries it: the value itself, or a preview of what is kept as an artifact.
 *
 * @throws {PermanentError} `invalid_output` when the tool returned what JSON cannot hold.
 */
export async function keepOutput(
  artifacts: ArtifactStore,
  work: StepWork,
  output: unknown,
): Promise<StepOutput> {
  const text = toJson(work, output);
  const bytes = Buffer.from(text);
  const value: Json = JsonValue.parse(JSON.parse(text));
  if (bytes.byteLength <= OUTPUT_INLINE_BYTES_MAX) return { value };
  const name = `outputs/${work.stepId}-${work.item}-${work.attempt}.json`;
  const artifact = await artifacts.put(work.planId, name, bytes, "application/json");
  const preview = typeof value === "string" ? value : text;
  return { artifact, preview: preview.slice(0, PREVIEW_CHARS_MAX) };
}

function toJson({ tool }: StepWork, output: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(output ?? null);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new PermanentError(`${tool} returned something that is not JSON`, {
      code: "invalid_output",
      cause,
    });
  }
  throw new PermanentError(`${tool} returned something that is not JSON`, { code: "invalid_output" });
}
