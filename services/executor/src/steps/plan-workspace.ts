import type { ArtifactRef, PlanId } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { Workspace, WorkspaceFile } from "../tools/define-tool.ts";

/** Files of the workspace are artifacts of the plan, apart from the outputs that are kept there too. */
const PREFIX = "files/";

/** The plan's own files, the same on whichever worker a step runs; `written` tells what this step wrote. */
export function planWorkspace(
  artifacts: ArtifactStore,
  planId: PlanId,
): Workspace & { written(): readonly ArtifactRef[] } {
  const written = new Map<string, ArtifactRef>();
  return {
    async write(path, content, contentType) {
      const artifact = await artifacts.put(planId, `${PREFIX}${path}`, content, contentType);
      written.set(path, artifact);
      return { artifact, bytes: artifact.bytes };
    },
    async read(path) {
      return (await artifacts.get(planId, `${PREFIX}${path}`))?.content;
    },
    list: async () => (await filesOf(artifacts, planId)).map(({ path }) => path),
    files: () => filesOf(artifacts, planId),
    written: () => [...written.values()],
  };
}

async function filesOf(artifacts: ArtifactStore, planId: PlanId): Promise<WorkspaceFile[]> {
  const all = await artifacts.list(planId);
  return all.flatMap(({ name, bytes, contentType }) =>
    name.startsWith(PREFIX) ? [{ path: name.slice(PREFIX.length), bytes, contentType }] : [],
  );
}
