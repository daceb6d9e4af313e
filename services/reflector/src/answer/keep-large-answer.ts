import { type Answer, type JoinWork, LIMITS } from "@planwright/plan";
import { type ArtifactStore, spill } from "@planwright/shared/artifacts";

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
  if (Buffer.byteLength(kept.text) > bytesMax) {
    const content = Buffer.from(kept.text);
    const file = await artifacts.put(planId, `answer-${join}.md`, content, "text/markdown");
    const text = `${kept.text.slice(0, PREVIEW_CHARS_MAX)}…\n\nThe whole answer is the file ${file.name}.`;
    kept = { ...kept, text, artifacts: [...kept.artifacts, file] };
  }
  if (data === undefined) return kept;
  const room = Math.max(0, bytesMax - Buffer.byteLength(kept.text));
  const spilled = await spill(artifacts, data, { planId, name: `answer-${join}.json`, bytesMax: room });
  if ("value" in spilled) return { ...kept, data };
  const { artifact } = spilled;
  const text = `${kept.text}\n\nThe data of the answer is the file ${artifact.name}.`;
  return { ...kept, text, artifacts: [...kept.artifacts, artifact] };
}
