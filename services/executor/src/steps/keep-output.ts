import {
  type Json,
  JsonValue,
  LIMITS,
  nestsDeeper,
  OUTPUT_INLINE_BYTES_MAX,
  PAYLOAD_BYTES_MAX,
  type StepOutput,
  type StepWork,
} from "@planwright/plan";
import { ARTIFACT_BYTES_MAX, spill } from "@planwright/shared/artifacts";
import { PermanentError } from "@planwright/shared/errors";
import type { StepDeps } from "./step-deps.ts";

/**
 * A step's output as its event carries it, with references in place of secrets: the value itself, or a preview of the artifact
 * that holds it.
 *
 * @param call - For a call inside the step, its name, such as `3` or `3_2`: then little of it is put into the log.
 * @throws {PermanentError} `invalid_output` when the tool returned something that JSON cannot represent, or that is nested too
 * deeply for its readers; `artifact_too_large` when it exceeds the size of an artifact.
 */
export async function keepOutput(
  { artifacts, secrets }: Pick<StepDeps, "artifacts" | "secrets">,
  work: StepWork,
  output: unknown,
  call?: string,
): Promise<StepOutput> {
  const text = toJson(work, output);
  // There are never fewer bytes than characters, so an output that is too large is not copied first.
  if (text.length > ARTIFACT_BYTES_MAX) throw tooLarge(work, text.length);
  const returned: Json = JsonValue.parse(JSON.parse(text));
  if (nestsDeeper(returned, LIMITS.levelsMax)) {
    throw invalidOutput(work, `wanted at most ${LIMITS.levelsMax} levels of nesting, got more`);
  }
  const value = secrets.redaction.json(returned);
  const [name, bytesMax] =
    call === undefined
      ? [nameOf(work), work.inlineBytesMax ?? OUTPUT_INLINE_BYTES_MAX]
      : [`outputs/${work.stepId}-${work.item}-turn-${call}.json`, PAYLOAD_BYTES_MAX];
  const json = value === returned ? text : JSON.stringify(value);
  return spill(artifacts, value, { planId: work.planId, name, bytesMax, json });
}

function nameOf({ stepId, item, undo, attempt }: StepWork): string {
  return `outputs/${stepId}-${undo === true ? "undo" : item}-${attempt}.json`;
}

function toJson(work: StepWork, output: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(output ?? null);
    // JSON writes `null` for NaN and infinite numbers; only if there is a `null` do we have to search for them.
    if (text?.includes("null")) JSON.stringify(output, refuseNoNumber);
  } catch (cause) {
    throw invalidOutput(work, reasonOf(cause));
  }
  if (text === undefined) throw invalidOutput(work, `wanted a value, got a ${typeof output}`);
  return text;
}

function refuseNoNumber(key: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  throw new TypeError(`wanted a finite number${key === "" ? "" : ` as ${key}`}, got ${value}`);
}

/** The engine reports circular structures on several lines, and its own limits in its own terms. */
function reasonOf(cause: unknown): string {
  if (cause instanceof RangeError) return "it is too large or too deeply nested";
  const [line = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return line;
}

/** Without its cause, which repeats the message: users see the error of a failed step. */
function invalidOutput({ tool }: StepWork, reason: string): PermanentError {
  const message = `${tool} returned something that is not JSON: ${reason}`;
  return new PermanentError(message, { code: "invalid_output" });
}

function tooLarge({ tool }: StepWork, bytes: number): PermanentError {
  const message = `the output of ${tool} has ${bytes} bytes or more; the limit is ${ARTIFACT_BYTES_MAX}`;
  return new PermanentError(message, { code: "artifact_too_large" });
}
