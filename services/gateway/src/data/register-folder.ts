import type { Registry } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { type DataSource, sourceKey } from "@planwright/shared/tools";
import type { SourceStore } from "./source-store.ts";
import { findFolderSources, readFolderSource } from "./sources-folder.ts";

type RegisterFolderDeps = {
  readonly store: SourceStore;
  readonly registry: Registry<DataSource>;
  readonly log: Logger;
};

/**
 * Registers the files of the sources' folder as the installation's own sources, as far as they are new or have changed, and
 * removes those whose files are gone. Logs what is at fault.
 */
export async function registerFolder(
  folder: string,
  { store, registry, log }: RegisterFolderDeps,
): Promise<void> {
  const found = await findFolderSources(folder, log);
  for (const source of found) {
    try {
      const files = await readFolderSource(source);
      const { changed } = await store.put({ ...source, tenant: null, files });
      if (changed) log.info({ source: source.name, files: files.length }, "data source registered");
    } catch (error) {
      log.warn({ source: source.name, reason: describeError(error) }, "cannot use data source");
    }
  }
  const names = new Set(found.map(({ name }) => name));
  for (const source of registry.entries().values()) {
    if (source.tenant !== null || source.local !== undefined || names.has(source.name)) continue;
    await store.remove(source);
    log.info({ source: source.name }, "data source removed: its file is gone");
  }
}

/**
 * Assigns the uploads of versions that shared them between tenants to one tenant. Run it after {@link registerFolder}, which
 * takes the files of the installation. Several gateways may do so at the same time.
 *
 * @param tenant - Their owner from now on.
 */
export async function assignOldUploads(
  tenant: string,
  { registry, log }: Omit<RegisterFolderDeps, "store">,
): Promise<void> {
  for (const [key, source] of registry.entries()) {
    if (source.tenant !== undefined || source.local !== undefined) continue;
    const assigned = { ...source, tenant };
    const newKey = sourceKey(assigned);
    if (!registry.entries().has(newKey)) await registry.put(newKey, assigned);
    await registry.remove(key);
    log.info({ source: source.name, tenant }, "upload of an earlier version assigned to a tenant");
  }
}
