import { type Answer, type ArtifactRef, type JoinWork, LIMITS } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";

const PREVIEW_CHARS_MAX = 2_000;

/**
 * Moves what is too large for a fact into artifacts: the data as a JSON file, the text as a Markdown file of
 * which the answer keeps the start.
 *
 * @param bytesMax - Default: the limit of an answer, 256 KiB.
 */
export async function keepLargeAnswer(
  artifacts: Pick<ArtifactStore, "put">,
  { planId, join }: Pick<JoinWork, "planId" | "join">,
  answer: Answer,
  { bytesMax = LIMITS.answerBytesMax }: { bytesMax?: number } = {},
): Promise<Answer> {
  const { data, ...rest } = answer;
  let kept: Answer = rest;
  const keep = (name: string, content: string, contentType: string): Promise<ArtifactRef> =>
    artifacts.put(planId, name, Buffer.from(content), contentType);

  if (Buffer.byteLength(kept.text) > bytesMax) {
    const file = await keep(`answer-${join}.md`, kept.text, "text/markdown");
    const text = `${kept.text.slice(0, PREVIEW_CHARS_MAX)}…\n\nThe whole answer is the file ${file.name}.`;
    kept = { ...kept, text, artifacts: [...kept.artifacts, file] };
  }
  if (data === undefined) return kept;
  const json = JSON.stringify(data);
  if (Buffer.byteLength(kept.text) + Buffer.byteLength(json) <= bytesMax) return { ...kept, data };
  const file = await keep(`answer-${join}.json`, json, "application/json");
  const text = `${kept.text}\n\nThe data of the answer is the file ${file.name}.`;
  return { ...kept, text, artifacts: [...kept.artifacts, file] };
}
