import type { Json, PlanId, StepOutput } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import type { StepDeps } from "./step-deps.ts";

/**
 * The JSON of an artifact that holds an output.
 *
 * @throws {PermanentError} `artifact_lost`.
 */
export async function loadJson(
  { artifacts }: Pick<StepDeps, "artifacts">,
  { planId }: { readonly planId: PlanId },
  name: string,
): Promise<Json> {
  const artifact = await artifacts.get(planId, name);
  if (artifact === undefined) {
    throw new PermanentError(`the artifact ${name} is gone`, { code: "artifact_lost" });
  }
  // Only outputs are referred to this way, and outputs are stored as JSON.
  return JSON.parse(Buffer.from(artifact.content).toString("utf8")) as Json;
}

/** An output, wherever it is stored. */
export async function loadOutput(
  deps: Pick<StepDeps, "artifacts">,
  plan: { readonly planId: PlanId },
  output: StepOutput,
): Promise<Json> {
  return "value" in output ? output.value : loadJson(deps, plan, output.artifact.name);
}
