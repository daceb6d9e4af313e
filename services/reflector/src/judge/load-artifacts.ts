import type { Json, KnownPlan } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";

/** Beyond these the preview has to do: most of a larger output would not fit into the prompt anyway. */
const ONE_BYTES_MAX = 1024 * 1024;
const ALL_BYTES_MAX = 4 * 1024 * 1024;

/** The content of step outputs that are kept as artifacts and are JSON or text, by the artifact's name. */
export async function loadArtifacts(
  artifacts: Pick<ArtifactStore, "get">,
  { planId, steps }: Pick<KnownPlan, "planId" | "steps">,
): Promise<ReadonlyMap<string, Json>> {
  const loaded = new Map<string, Json>();
  let bytes = 0;
  for (const { state } of steps.values()) {
    if (state.status !== "succeeded" || !("artifact" in state.output)) continue;
    const { artifact } = state.output;
    bytes += artifact.bytes;
    if (artifact.bytes > ONE_BYTES_MAX || bytes > ALL_BYTES_MAX) continue;
    const stored = await artifacts.get(planId, artifact.name);
    const content = stored === undefined ? undefined : readContent(stored);
    if (content !== undefined) loaded.set(artifact.name, content);
  }
  return loaded;
}

function readContent({
  content,
  contentType,
}: {
  content: Uint8Array;
  contentType: string;
}): Json | undefined {
  const text = Buffer.from(content).toString("utf8");
  if (contentType.startsWith("text/")) return text;
  if (!contentType.startsWith("application/json")) return undefined;
  try {
    // JSON.parse yields JSON and nothing else.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
