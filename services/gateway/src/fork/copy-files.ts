import type { ArtifactRef, CarriedStep, Json, PlanId, StepId, StepOutput } from "@planwright/plan";
import { type ArtifactStore, spill } from "@planwright/shared/artifacts";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";

/** What the preview of a file takes up; what is not larger stays. */
const PREVIEW_CHARS_MAX = 1_000;

const PAGE = 1_000;

/** Of all files that one fork takes along. */
export const FORKED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Copies what the steps wrote from one plan to another: who forgets the one must not lose the other's files. A repeat
 * writes the same again.
 *
 * @throws {Problem} `fork_refused` when a file is gone, or they are too large together.
 */
export async function copyFiles(
  artifacts: ArtifactStore,
  carried: readonly CarriedStep[],
  { from, to }: { readonly from: PlanId; readonly to: PlanId },
): Promise<void> {
  const files = new Map<string, number>();
  for (const { output, files: results = [], artifacts: written } of carried) {
    const own = "artifact" in output ? [output.artifact] : results.map(({ artifact }) => artifact);
    for (const { name, bytes } of [...own, ...written]) files.set(name, bytes);
  }
  const bytes = [...files.values()].reduce((sum, one) => sum + one, 0);
  if (bytes > FORKED_BYTES_MAX) {
    throw new Problem("fork_refused", `the files have ${bytes} bytes; a fork copies max ${FORKED_BYTES_MAX}`);
  }
  for (const name of files.keys()) {
    const file = await artifacts.get(from, name);
    if (file === undefined) throw new Problem("fork_refused", `the file ${name} of the plan is gone`);
    await artifacts.put(to, name, file.content, file.contentType);
  }
}

/** The files that each of the steps has written, from the plan's log. */
export async function filesOfSteps(
  book: Pick<PlanBook, "page">,
  planId: PlanId,
  stepIds: ReadonlySet<StepId>,
): Promise<ReadonlyMap<StepId, readonly ArtifactRef[]>> {
  const files = new Map<StepId, ArtifactRef[]>();
  for (let after = 0; ; ) {
    const { facts, more } = await book.page({ planId, after, limit: PAGE });
    for (const { event } of facts) {
      if (event.type === "goal.submitted") {
        for (const { step, artifacts } of event.data.carried ?? []) add(step.id, artifacts);
      } else if (event.type === "step.succeeded" && event.data.undo === undefined) {
        add(event.data.stepId, event.data.artifacts);
      }
    }
    const last = facts.at(-1);
    if (!more || last === undefined) return files;
    after = last.seq;
  }

  function add(stepId: StepId, artifacts: readonly ArtifactRef[]): void {
    if (stepIds.has(stepId) && artifacts.length > 0)
      files.set(stepId, [...(files.get(stepId) ?? []), ...artifacts]);
  }
}

/** What can become a separate file: a step's output, or one of a list of results of which some are files already. */
type Part = { readonly index: number; readonly item?: number; readonly value: Json; readonly text: string };

/** What is carried over is one fact of the new plan: the largest outputs become files of it until it fits. */
export async function keepSmall(
  artifacts: ArtifactStore,
  carried: readonly CarriedStep[],
  { planId, bytesMax }: { readonly planId: PlanId; readonly bytesMax: number },
): Promise<CarriedStep[]> {
  const kept = [...carried];
  const parts = kept.flatMap(partsOf).map((part) => ({ ...part, bytes: Buffer.byteLength(part.text) }));
  let bytes = Buffer.byteLength(JSON.stringify(kept));
  for (const { bytes: own, ...part } of parts.toSorted((left, right) => right.bytes - left.bytes)) {
    const { index, item, text, value } = part;
    const step = kept[index];
    if (bytes <= bytesMax || own <= PREVIEW_CHARS_MAX || step === undefined) break;
    const of = item === undefined ? "" : `-${item}`;
    const name = `outputs/${step.step.id}-carried${of}.json`;
    const output = await spill(artifacts, value, { planId, name, bytesMax: 0, json: text });
    kept[index] = item === undefined ? { ...step, output } : withFile(step, item, output);
    bytes -= own - PREVIEW_CHARS_MAX;
  }
  return kept;
}

function partsOf({ output, files }: CarriedStep, index: number): Part[] {
  if (!("value" in output)) return [];
  const { value } = output;
  if (files === undefined || !Array.isArray(value)) return [{ index, value, text: JSON.stringify(value) }];
  const isFile = new Set(files.map(({ item }) => item));
  return value.flatMap((one, item) =>
    isFile.has(item) ? [] : [{ index, item, value: one, text: JSON.stringify(one) }],
  );
}

/** The step with one more of its results as a file; what is known of it is in the list. */
function withFile(step: CarriedStep, item: number, spilled: StepOutput): CarriedStep {
  const { output, files = [] } = step;
  if (!("artifact" in spilled) || !("value" in output) || !Array.isArray(output.value)) return step;
  const { artifact, preview, lists } = spilled;
  const { name, contentType, bytes } = artifact;
  const value = output.value.with(item, { artifact: name, contentType, bytes, preview });
  const file = { item, artifact, ...(lists === undefined ? {} : { lists }) };
  return { ...step, output: { value }, files: [...files, file] };
}
