/** The demo store as the example defines it: its tables and its data source entry. */
import { readFile } from "node:fs/promises";
import { z } from "zod";

const FOLDER = new URL("../../../../examples/sunglasses-store/", import.meta.url);

const Sources = z.object({ sources: z.object({ store: z.looseObject({ path: z.string() }) }) });

/** Returns the SQL that creates and fills its tables. */
export async function storeSql(): Promise<string> {
  return readFile(new URL("seed.sql", FOLDER), "utf8");
}

/** Returns its entry for a sources file. */
export async function storeEntry(): Promise<z.output<typeof Sources>["sources"]["store"]> {
  const text = await readFile(new URL("sources.json", FOLDER), "utf8");
  return Sources.parse(JSON.parse(text)).sources.store;
}
