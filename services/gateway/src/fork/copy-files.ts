import type { CarriedStep, PlanId } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import { Problem } from "../http/problem.ts";

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
