/** Makes the demo store and names it in the configuration of data sources. */
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
  /** Of the database, absolute. */
  readonly path: string;
  readonly database: StoreState;
  /** The file that names it. */
  readonly config: string;
  /** Whether that is new. */
  readonly registered: boolean;
};

/**
 * Creates the store's database and its entry in `sources.json`, as far as they are not there. An entry that is there
 * stays as it is, and says where the database lies.
 *
 * @param folder - Where a new `sources.json` and the database go.
 * @param named - The file of sources that the environment names, if it does.
 * @throws {CliError} `refused` when the store has changed and `force` is not given, or the name is another source's.
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
  // As executors look for it: an entry in a file that they pass over would help nobody.
  const isThere = named === undefined || existsSync(named);
  const file = isThere ? await findSourcesFile({ named, folders: [folder, "."] }) : undefined;
  const config = file?.file ?? named ?? path.join(folder, SOURCES_FILE);
  const known = file === undefined ? undefined : readSources(file).find(({ name }) => name === NAME);
  if (known !== undefined && known.kind !== "sqlite") {
    throw new CliError(EXIT.refused, `${config} has another source named ${NAME}: a ${known.kind} one`);
  }
  const database = known?.path ?? path.resolve(folder, DATABASE);
  await mkdir(path.dirname(database), { recursive: true });
  const state = await writeStore(database, { force });
  if (known === undefined) await registerStore(config, { text: file?.text, name: NAME, database });
  return { source: NAME, path: database, database: state, config, registered: known === undefined };
}
