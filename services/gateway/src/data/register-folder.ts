import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { registerSource, type RegisterDeps } from "./register-source.ts";
import { findFolderSources, readFolderSource } from "./sources-folder.ts";

/** Registers the files of the sources' folder, as far as they are new or have changed. What is at fault is logged. */
export async function registerFolder(
  folder: string,
  { log, ...deps }: RegisterDeps & { readonly log: Logger },
): Promise<void> {
  for (const source of await findFolderSources(folder, log)) {
    try {
      const files = await readFolderSource(source);
      const { changed } = await registerSource({ ...source, files }, deps);
      if (changed) log.info({ source: source.name, files: files.length }, "data source registered");
    } catch (error) {
      log.warn({ source: source.name, reason: describeError(error) }, "data source cannot be used");
    }
  }
}
