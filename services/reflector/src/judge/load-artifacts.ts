import type { ArtifactRef, Json, KnownPlan, StepOutput } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";

/** Beyond these the preview has to do: most of a larger output would not fit into the prompt anyway. */
const ONE_BYTES_MAX = 1024 * 1024;
const ALL_BYTES_MAX = 4 * 1024 * 1024;

/** What the steps have delivered. */
export function outputsOf({ steps }: KnownPlan): StepOutput[] {
  return [...steps.values()].flatMap(({ state }) => (state.status === "succeeded" ? [state.output] : []));
}

/**
 * The content of step outputs that are kept as artifacts and are JSON or text, by the artifact's name; none where
 * facts are kept of them: then those are read in their place.
 */
export async function loadArtifacts(
  artifacts: Pick<ArtifactStore, "get">,
  { planId, goal }: Pick<KnownPlan, "planId" | "goal">,
  outputs: readonly StepOutput[],
): Promise<ReadonlyMap<string, Json>> {
  const loaded = new Map<string, Json>();
  if (goal.facts !== "off") return loaded;
  let bytes = 0;
  for (const output of outputs) {
    if (!("artifact" in output)) continue;
    const { artifact } = output;
    bytes += artifact.bytes;
    if (bytes > ALL_BYTES_MAX) continue;
    const content = await readArtifactJson(artifacts, planId, artifact);
    if (content !== undefined) loaded.set(artifact.name, content);
  }
  return loaded;
}

/** The content of one artifact that is not too large to be shown; undefined when it is gone, or no JSON or text. */
export async function readArtifactJson(
  artifacts: Pick<ArtifactStore, "get">,
  planId: KnownPlan["planId"],
  { name, bytes }: ArtifactRef,
): Promise<Json | undefined> {
  const stored = bytes > ONE_BYTES_MAX ? undefined : await artifacts.get(planId, name);
  return stored === undefined ? undefined : readContent(stored);
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
