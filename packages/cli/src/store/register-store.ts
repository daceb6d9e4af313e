import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { storeEntry } from "./store-example.ts";

/** Only the part of the file that changes; the rest is kept as written. */
const Sources = z.looseObject({ sources: z.record(z.string(), z.unknown()).default({}) });

/**
 * Writes the store's entry into a file of data sources.
 *
 * @param text - The file's current, valid content; undefined to create the file.
 */
export async function registerStore(
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
