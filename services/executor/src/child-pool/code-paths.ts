import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../../..");

/** What a child must be able to read to run: our sources and the installed packages, but no data. */
export const CODE_PATHS: readonly string[] = [
  join(ROOT, "package.json"),
  join(ROOT, "node_modules"),
  join(ROOT, "packages"),
  join(ROOT, "services"),
  ...foldersAround(ROOT),
];

/** In the published package, its dependencies are installed around it: `node_modules/planwright/dist/…`. */
function foldersAround(folder: string): string[] {
  const parent = dirname(folder);
  if (parent === folder) return [];
  const above = foldersAround(parent);
  return folder.endsWith("node_modules") ? [folder, ...above] : above;
}
