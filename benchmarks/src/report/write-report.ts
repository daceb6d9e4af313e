import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type ResultFile, ResultFile as ResultFileSchema } from "./result.ts";
import { tableOf } from "./table.ts";

/** Writes one workload's result with its raw samples, over an earlier one. */
export async function writeResult(folder: string, result: ResultFile): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(folder, result.workload), `${textOf(result)}\n`);
}

/** Writes the table of every result that the folder holds, in the order of `names`. */
export async function writeReport(folder: string, names: readonly string[]): Promise<void> {
  const results: ResultFile[] = [];
  for (const name of names) {
    const text = await readFile(fileOf(folder, name), "utf8").catch(() => undefined);
    if (text !== undefined) results.push(ResultFileSchema.parse(JSON.parse(text)));
  }
  const table = tableOf(results);
  await writeFile(path.join(folder, "table.md"), table);
  console.error(`\n${table}\n${folder}`);
}

function fileOf(folder: string, workload: string): string {
  return path.join(folder, `${workload}.json`);
}

/** Readable, but with the samples of a run on one line. */
function textOf(result: ResultFile): string {
  const text = JSON.stringify(result, null, 1);
  return text.replace(/\[\s+(-?[\d.e+-]+(?:,\s+-?[\d.e+-]+)*)\s+\]/g, (_, list: string) => {
    return `[${list.replace(/\s+/g, "")}]`;
  });
}
