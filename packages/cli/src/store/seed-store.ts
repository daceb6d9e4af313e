/** Creates the demo store and registers it as a data source. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { findSourcesFile, readSources, SOURCES_FILE } from "@planwright/shared/tools";
import { CliError, EXIT } from "../exit-codes.ts";
import { registerStore } from "./register-store.ts";
import { type StoreState, writeStore } from "./write-store.ts";

const NAME = "store";
const DATABASE = "store.db";

export type SeededStore = {
  readonly source: string;
  /** The absolute path of the database. */
  readonly path: string;
  readonly database: StoreState;
  /** The file that registers it. */
  readonly config: string;
  /** Whether this call registered it. */
  readonly registered: boolean;
};

/**
 * Creates the store's database and its entry in `sources.json` if they are missing. An existing entry is kept and decides
 * where the database is.
 *
 * @param folder - The folder for a new `sources.json` and the database.
 * @param named - The sources file that the environment names, if any.
 * @throws {CliError} `refused` when the store has changed and `force` is not set, or another source has its name.
 */
export async function seedStore({
  folder,
  named,
  force,
}: {
  readonly folder: string;
  readonly named: string | undefined;
  readonly force: boolean;
}): Promise<SeededStore> {
  // The same lookup as in executors: they must read the file that gets the entry.
  const isThere = named === undefined || existsSync(named);
  const file = isThere ? await findSourcesFile({ named, folders: [folder, "."] }) : undefined;
  const config = file?.file ?? named ?? path.join(folder, SOURCES_FILE);
  const known = file === undefined ? undefined : readSources(file).find(({ name }) => name === NAME);
  if (known !== undefined && known.kind !== "sqlite") {
    throw new CliError(
      EXIT.refused,
      `${config} already has a ${known.kind} source named ${NAME}: rename or remove it first`,
    );
  }
  const database = known?.path ?? path.resolve(folder, DATABASE);
  await mkdir(path.dirname(database), { recursive: true });
  const state = await writeStore(database, { force });
  if (known === undefined) await registerStore(config, { text: file?.text, name: NAME, database });
  return { source: NAME, path: database, database: state, config, registered: known === undefined };
}
