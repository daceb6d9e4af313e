import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { Registry } from "@planwright/shared/bus";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import {
  type ConfiguredSource,
  DATA_OWNER,
  type DataSource,
  isInstalled,
  sourceKey,
  sourcesOfTenant,
} from "@planwright/shared/tools";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { OpenSource, SourceCatalog } from "../tools/define-tool.ts";

/** The registered data sources, as files on this machine. */
export type SourceFiles = {
  /**
   * The sources that a plan can use: those of its tenant and of the installation, restricted to the named ones if it names any.
   */
  catalog(plan: { readonly tenant: string; readonly sources?: readonly string[] | undefined }): SourceCatalog;
  /**
   * Fetches a source's files unless they are already here; data on this machine is opened in place.
   *
   * @throws {TransientError} When the data is on another executor's machine.
   */
  fetch(source: DataSource): Promise<OpenSource>;
};

/** @param folder - Where fetched files are kept; they are never changed and can be deleted at any time. */
export function createSourceFiles({
  registry,
  artifacts,
  folder,
  findLocal = () => undefined,
}: {
  registry: Registry<DataSource>;
  artifacts: ArtifactStore;
  folder: string;
  /** Finds a source in this executor's own configuration. */
  findLocal?: ((name: string) => ConfiguredSource | undefined) | undefined;
}): SourceFiles {
  const fetching = new Map<string, Promise<OpenSource>>();
  const fetch = async (source: DataSource): Promise<OpenSource> => {
    if (source.local !== undefined) return { ...(findLocal(source.name) ?? elsewhere(source)), live: true };
    const target = path.join(folder, copyNameOf(source));
    const known = fetching.get(target);
    if (known !== undefined) return known;
    const fetched = fetchFiles(artifacts, source, target)
      .catch((error: unknown) => {
        const { files } = registry.entries().get(sourceKey(source)) ?? {};
        if (JSON.stringify(files) === JSON.stringify(source.files)) throw error;
        throw new TransientError(`the source ${source.name} was replaced or deleted while it was fetched`, {
          cause: error,
        });
      })
      .finally(() => fetching.delete(target));
    fetching.set(target, fetched);
    return fetched;
  };
  return {
    fetch,
    catalog({ tenant, sources: allowed }) {
      const known = sourcesOfTenant(registry.entries(), tenant);
      const isAllowed = (name: string): boolean => allowed?.includes(name) ?? true;
      return {
        list: async () =>
          known
            .list()
            .filter(({ name }) => isAllowed(name))
            .map(({ name, kind, writable = false }) => ({ name, kind, writable })),
        async open(name) {
          if (!isAllowed(name)) return undefined;
          const source = known.get(name);
          if (source !== undefined) return fetch(source);
          refuseUnassigned(registry.entries().get(name));
          return undefined;
        },
      };
    },
  };
}

async function fetchFiles(artifacts: ArtifactStore, source: DataSource, target: string): Promise<OpenSource> {
  await mkdir(target, { recursive: true });
  for (const { fileName, artifact, bytes } of source.files) {
    const file = path.join(target, path.basename(fileName));
    const present = await stat(file).catch(() => undefined);
    if (present?.size === bytes) continue;
    const stored = await artifacts.get(source.store ?? DATA_OWNER, artifact);
    if (stored === undefined) {
      throw new PermanentError(`the file ${fileName} of source ${source.name} is gone`, {
        code: "source_lost",
      });
    }
    // Under a temporary name first, so that a reader never sees half a file.
    const partial = `${file}.${randomUUID()}.partial`;
    await writeFile(partial, stored.content);
    await rename(partial, file);
  }
  const only = source.files.length === 1 ? source.files[0] : undefined;
  const place = only === undefined ? target : path.join(target, path.basename(only.fileName));
  return { name: source.name, kind: source.kind, writable: false, path: place };
}

/** Uploads of earlier versions belong to no tenant until a gateway of this version has started. */
function refuseUnassigned(source: DataSource | undefined): void {
  if (source === undefined || isInstalled(source) || source.tenant !== undefined) return;
  throw new TransientError(`the source ${source.name} has no owner yet: is the gateway running?`);
}

function elsewhere({ name, local }: DataSource): never {
  throw new TransientError(`the source ${name} is on ${local?.host}, not on this executor's machine`);
}

/** The name of the folder that a source's files are fetched to; it differs for each owner and content. */
export function copyNameOf(source: DataSource): string {
  const hash = createHash("sha256").update(sourceKey(source));
  for (const { fileName, sha256 } of source.files) hash.update(`\n${fileName} ${sha256}`);
  return hash.digest("hex").slice(0, 32);
}
