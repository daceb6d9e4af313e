/** The demo store as the example describes it: its tables, and what it is as a data source. */
import { readFile } from "node:fs/promises";
import { z } from "zod";

const FOLDER = new URL("../../../../examples/sunglasses-store/", import.meta.url);

const Sources = z.object({ sources: z.object({ store: z.looseObject({ path: z.string() }) }) });

/** The SQL that makes its tables and fills them. */
export async function storeSql(): Promise<string> {
  return readFile(new URL("seed.sql", FOLDER), "utf8");
}

/** Its entry in a file of data sources. */
export async function storeEntry(): Promise<z.output<typeof Sources>["sources"]["store"]> {
  const text = await readFile(new URL("sources.json", FOLDER), "utf8");
  return Sources.parse(JSON.parse(text)).sources.store;
}
