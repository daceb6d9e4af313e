import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type ResultFile, ResultFile as ResultFileSchema } from "./result.ts";
import { plotOf } from "./plot.ts";
import { tableOf } from "./table.ts";

const README = "benchmarks/README.md";
const GENERATED = /(<!-- generated: [^>]*-->\n)[\s\S]*(<!-- end of generated -->)/;

/** Writes one workload's result with its raw samples, over an earlier one. */
export async function writeResult(folder: string, result: ResultFile): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(folder, result.workload), `${textOf(result)}\n`);
}

/**
 * Writes the table and the plot of every result that the folder holds, in the order of `names`.
 *
 * @param options.intoReadme - Whether the table goes into the benchmarks' README too.
 */
export async function writeReport(
  folder: string,
  { names, intoReadme }: { readonly names: readonly string[]; readonly intoReadme: boolean },
): Promise<void> {
  const results: ResultFile[] = [];
  for (const name of names) {
    const text = await readFile(fileOf(folder, name), "utf8").catch(() => undefined);
    if (text !== undefined) results.push(ResultFileSchema.parse(JSON.parse(text)));
  }
  const table = tableOf(results);
  await writeFile(path.join(folder, "table.md"), `${table}\n`);
  await writeFile(path.join(folder, "plot.svg"), plotOf(results));
  if (intoReadme) await writeFile(README, withTable(await readFile(README, "utf8"), table));
  console.error(`\n${table}\n${folder}`);
}

function withTable(readme: string, table: string): string {
  if (!GENERATED.test(readme)) throw new Error(`${README} has no place for the table`);
  const plot = "![ours, the targets and the floors](results/plot.svg)";
  return readme.replace(
    GENERATED,
    (_, head: string, tail: string) => `${head}\n${plot}\n\n${table}\n\n${tail}`,
  );
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
