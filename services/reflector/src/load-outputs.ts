import type { ArtifactRef, Json, KnownPlan, StepEntry, StepOutput } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { JobDeps } from "@planwright/shared/jobs";

/** For larger outputs the preview is used: most of the content would not fit into the prompt anyway. */
const ONE_BYTES_MAX = 1024 * 1024;
const ALL_BYTES_MAX = 4 * 1024 * 1024;

type Artifacts = Pick<ArtifactStore, "get">;

/** The dependencies of the handlers. */
export type HandlerDeps = Pick<JobDeps, "publish" | "now" | "log"> & { readonly artifacts: ArtifactStore };

/**
 * Loads the content of step outputs that are kept as artifacts and are JSON or text, by the artifact's name; skips outputs
 * whose facts are recorded, because those are used instead.
 *
 * @param outputs - Default: those of all steps that have succeeded.
 */
export async function loadOutputs(
  artifacts: Artifacts,
  plan: Pick<KnownPlan, "planId" | "goal" | "steps">,
  outputs: readonly StepOutput[] = outputsOf(plan),
): Promise<ReadonlyMap<string, Json>> {
  const loaded = new Map<string, Json>();
  if (plan.goal.facts !== "off") return loaded;
  let bytes = 0;
  for (const output of outputs) {
    if (!("artifact" in output)) continue;
    const { artifact } = output;
    bytes += artifact.bytes;
    if (bytes > ALL_BYTES_MAX) continue;
    const content = await readContent(artifacts, plan.planId, artifact);
    if (content !== undefined) loaded.set(artifact.name, content);
  }
  return loaded;
}

/** Returns the complete output of a step, or the preview if the artifact is missing or too large to be shown. */
export async function wholeOutput(
  artifacts: Artifacts,
  { planId }: Pick<KnownPlan, "planId">,
  { state }: StepEntry,
): Promise<Json> {
  if (state.status !== "succeeded") return null;
  const { output } = state;
  if ("value" in output) return output.value;
  return (await readContent(artifacts, planId, output.artifact)) ?? output.preview;
}

function outputsOf({ steps }: Pick<KnownPlan, "steps">): StepOutput[] {
  return [...steps.values()].flatMap(({ state }) => (state.status === "succeeded" ? [state.output] : []));
}

/** Undefined when it is too large to be shown, missing, or neither JSON nor text. */
async function readContent(
  artifacts: Artifacts,
  planId: KnownPlan["planId"],
  { name, bytes }: ArtifactRef,
): Promise<Json | undefined> {
  const stored = bytes > ONE_BYTES_MAX ? undefined : await artifacts.get(planId, name);
  if (stored === undefined) return undefined;
  const text = Buffer.from(stored.content).toString("utf8");
  if (stored.contentType.startsWith("text/")) return text;
  if (!stored.contentType.startsWith("application/json")) return undefined;
  try {
    // JSON.parse yields JSON and nothing else.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
