import { existsSync } from "node:fs";
import { codeFiles, lintCode } from "../prose/code-prose.ts";
import { lintProse, proseFiles } from "../prose/lint-prose.ts";
import { runBin } from "../run-node.ts";

const FORMAT = [
  "--no-errors-on-unmatched",
  "--max-diagnostics=50",
  ...(process.stdout.isTTY ? [] : ["--colors=off"]),
];

/** `npm run lint`: runs the lint rules, checks the formatting of every file, then the prose of the documents and of the code. */
export async function lintCommand(args: readonly string[]): Promise<number> {
  const rules = await runBin("oxlint", ["--type-aware", "--deny-warnings", ...args]);
  const format = await runBin("biome", ["format", ...FORMAT, ...args]);
  const prose = await lintProse(
    args.length === 0 ? proseFiles() : args.filter((file) => file.endsWith(".md")),
  );
  const all = codeFiles();
  const code = lintCode(args.length === 0 ? all : args.filter((file) => all.includes(file)));
  return rules || format || prose || code;
}

/** `npm run format`: formats all files; `-- --check` only lists the files that it would change. */
export async function formatCommand(args: readonly string[]): Promise<number> {
  if (args.includes("--check")) return runBin("biome", ["format", ...FORMAT]);
  return runBin("biome", ["format", "--write", ...FORMAT, ...args]);
}

/** Parts with separate compiler settings, because they run in browsers. */
const PAGES = ["packages/dashboard/tsconfig.json", "packages/docs-site/tsconfig.json"];

/** `npm run types`: type-checks everything that Node runs, then the dashboard and the docs site. */
export async function typesCommand(args: readonly string[]): Promise<number> {
  let code = await runBin("tsc", ["-p", "tsconfig.json", ...args]);
  for (const page of PAGES.filter((file) => existsSync(file)))
    code = (await runBin("tsc", ["--noEmit", "-p", page, ...args])) || code;
  return code;
}
