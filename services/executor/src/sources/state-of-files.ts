import type { ConfiguredSource } from "@planwright/shared/tools";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { CSV_FILE } from "../sql/csv-file.ts";

/**
 * Differs when the files of a source have changed, without looking into them; empty while there are none.
 *
 * What others have committed to a SQLite file may still be in its log beside it.
 */
export async function stateOfFiles({ kind, path: place }: ConfiguredSource): Promise<string> {
  const files = kind === "sqlite" ? [place, `${place}-wal`] : await csvFilesOf(place);
  const states = await Promise.all(files.map(stateOf));
  return states.filter((state) => state !== "").join("\n");
}

async function csvFilesOf(place: string): Promise<string[]> {
  const names = await readdir(place).catch(() => undefined);
  if (names === undefined) return [place];
  return names
    .filter((name) => CSV_FILE.test(name))
    .sort()
    .map((name) => path.join(place, name));
}

async function stateOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => undefined);
  // An empty log comes and goes with its readers.
  if (stats === undefined || (stats.size === 0 && file.endsWith("-wal"))) return "";
  return `${file} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
