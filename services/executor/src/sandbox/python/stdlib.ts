/** Brython's files: the language itself, and the part of Python's standard library that it ships. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { z } from "zod";

/** The standard library modules that a program can import. */
export const STDLIB_MODULES = [
  "__future__",
  "abc",
  "bisect",
  "calendar",
  "collections",
  "collections.abc",
  "copy",
  "datetime",
  "decimal",
  "enum",
  "fractions",
  "functools",
  "heapq",
  "itertools",
  "json",
  "math",
  "numbers",
  "operator",
  "random",
  "re",
  "statistics",
  "string",
  "textwrap",
  "time",
  "typing",
] as const;

/** Imported by other modules only inside functions, at which point nothing new can be loaded. */
export const LATE_MODULES = ["_strptime"] as const;

/** A module as in Brython's library file: its kind, its source, the modules that it imports, and whether it is a package. */
const LibraryModule = z.tuple([z.enum([".py", ".js"]), z.string()], z.json());
export type LibraryModule = z.infer<typeof LibraryModule>;

const files = createRequire(import.meta.url);
const LIBRARY = /^var scripts = (\{.*\})$/m;

/** The language: a script that defines `__BRYTHON__`. */
export function readBrython(): string {
  return readFileSync(files.resolve("brython/brython.js"), "utf8");
}

/** The whole library by module; most of it is never loaded. */
export function readLibrary(): Map<string, LibraryModule> {
  const [, json = "{}"] =
    LIBRARY.exec(readFileSync(files.resolve("brython/brython_stdlib.js"), "utf8")) ?? [];
  const { $timestamp: _when, ...modules } = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  return new Map(Object.entries(modules).map(([name, module]) => [name, LibraryModule.parse(module)]));
}
