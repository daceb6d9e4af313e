import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../../..");

/** What a child must be able to read to run: our sources and the installed packages, no data. */
export const CODE_PATHS: readonly string[] = [
  join(ROOT, "package.json"),
  join(ROOT, "node_modules"),
  join(ROOT, "packages"),
  join(ROOT, "services"),
];
