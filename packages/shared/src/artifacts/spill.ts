import { type Json, listsIn, OUTPUT_INLINE_BYTES_MAX, type PlanId, type StepOutput } from "@planwright/plan";
import { shortenJson } from "../prompt/shorten-json.ts";
import type { ArtifactStore } from "./artifact-store.ts";

const PREVIEW_CHARS_MAX = 1_000;
/** A worker that iterates over one of the lists loads the whole value, so the lists of larger values are not recorded. */
const LISTED_BYTES_MAX = 1024 * 1024;

export type SpillOptions = {
  readonly planId: PlanId;
  /** The artifact's name. */
  readonly name: string;
  /** The largest value that stays inline, in bytes of JSON; default 64 KiB. */
  readonly bytesMax?: number;
  /** The value as JSON, if it was serialized before. */
  readonly json?: string;
};

/** Returns the value itself, or, if it is too large for an event, an artifact with a preview and the lengths of its lists. */
export async function spill(
  artifacts: Pick<ArtifactStore, "put">,
  value: Json,
  { planId, name, bytesMax = OUTPUT_INLINE_BYTES_MAX, json = JSON.stringify(value) }: SpillOptions,
): Promise<StepOutput> {
  const content = Buffer.from(json);
  if (content.byteLength <= bytesMax) return { value };
  const artifact = await artifacts.put(planId, name, content, "application/json");
  const lists = content.byteLength <= LISTED_BYTES_MAX ? listsIn(value) : undefined;
  return { artifact, preview: previewOf(value), ...(lists === undefined ? {} : { lists }) };
}

/** Returns the start of a text, or as much of another value as fits, in its own shape. */
function previewOf(value: Json): string {
  const short = typeof value === "string" ? value : shortenJson(value, PREVIEW_CHARS_MAX).value;
  const text = typeof short === "string" ? short : JSON.stringify(short);
  return text.slice(0, PREVIEW_CHARS_MAX).toWellFormed();
}
