/** Creates the demo store and registers it as a data source. */
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { findSourcesFile, readSources, SOURCES_FILE } from "@planwright/shared/tools";
import { z } from "zod";
import { CliError, EXIT } from "../exit-codes.ts";
import { storeEntry } from "./store-example.ts";
import { type StoreState, writeStore } from "./write-store.ts";

/** Only the part of the file that changes; the rest is kept as written. */
const Sources = z.looseObject({ sources: z.record(z.string(), z.unknown()).default({}) });

const NAME = "store";
const DATABASE = "store.db";

type SeededStore = {
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

/**
 * Writes the store's entry into a file of data sources.
 *
 * @param text - The file's current, valid content; undefined to create the file.
 */
async function registerStore(
  config: string,
  { text, name, database }: { text: string | undefined; name: string; database: string },
): Promise<void> {
  const folder = path.dirname(path.resolve(config));
  const before = Sources.parse(text === undefined ? {} : JSON.parse(text));
  const entry = { ...(await storeEntry()), path: path.relative(folder, database) };
  const after = { ...before, sources: { ...before.sources, [name]: entry } };
  await mkdir(folder, { recursive: true });
  // Executors may read the file at any moment and must never see half of it.
  const partial = `${config}.${process.pid}.partial`;
  await writeFile(partial, `${JSON.stringify(after, undefined, 2)}\n`);
  await rename(partial, config);
}
