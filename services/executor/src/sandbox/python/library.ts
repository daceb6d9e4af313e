/** The modules that programs can import: those of the standard library, and the replacement for TinyDB. */
import { readFileSync } from "node:fs";
import { patchedModule } from "./patches.ts";
import { LATE_MODULES, type LibraryModule, readLibrary, STDLIB_MODULES } from "./stdlib.ts";

/** Our own modules, each a file in `lib/`, and whether each is a package. */
const OWN_MODULES = {
  time: false,
  "tinydb.queries": false,
  "tinydb.table": false,
  "tinydb.operations": false,
  tinydb: true,
  planwright: false,
} as const;

const TINYDB_MODULES = ["tinydb", "tinydb.operations", "tinydb.queries", "tinydb.table"];

/** The modules that are loaded before any program runs; no other can be loaded afterwards. */
export const LOADED_MODULES: readonly string[] = [
  ...STDLIB_MODULES.filter((name) => name !== "__future__"),
  ...LATE_MODULES,
  ...Object.keys(OWN_MODULES),
];

/** The modules that a program's `import` can find. */
export const IMPORTABLE_MODULES: readonly string[] = [...STDLIB_MODULES, ...TINYDB_MODULES];

/** The standard library plus our modules. */
export function fullLibrary(): Map<string, LibraryModule> {
  const library = new Map<string, LibraryModule>();
  for (const [name, [kind, text, ...rest]] of readLibrary())
    library.set(name, [kind, patchedModule(name, text), ...rest]);
  for (const [name, isPackage] of Object.entries(OWN_MODULES)) {
    const file = `./lib/${name.replaceAll(".", "/")}${isPackage ? "/__init__" : ""}.py`;
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    library.set(name, isPackage ? [".py", text, [], true] : [".py", text, []]);
  }
  return library;
}

/**
 * Brython's additions to Python: access to a page, which does not exist here. They cannot be imported once the library is loaded.
 */
export const FORGOTTEN_MODULES: readonly string[] = [
  "browser",
  "javascript",
  "_ajax",
  "interpreter",
  "jqueryui",
  "brython",
];
