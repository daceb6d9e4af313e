/** A user's own tools: one file each, in a folder, reloaded when it changes. */
import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { PermanentError, describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import type { Tool } from "../tools/define-tool.ts";
import { offerToolKit } from "./offer-tool-kit.ts";
import { pathToFileURL } from "node:url";
import { z } from "zod";

export const TOOL_FILES_MAX = 200;
/** Editors write a file in several operations. */
const SETTLE_MS = 200;
const TOOL_FILE = /^[^.].*(?<!\.d|\.test)\.(ts|mts|js|mjs)$/;

export type BrokenFile = { readonly file: string; readonly reason: string };

export type ToolFiles = Disposable & {
  readonly tools: () => readonly Tool[];
  readonly broken: () => readonly BrokenFile[];
  /** Calls back after each change of the folder, with the names of removed tools. */
  readonly onChange: (heard: (gone: readonly string[]) => void) => void;
};

export type ToolFolder = {
  readonly folder: string;
  /** Names that a file cannot use. */
  readonly taken: ReadonlySet<string>;
  readonly log: Logger;
};

/**
 * Loads every `.ts`, `.mts`, `.js` and `.mjs` file of a folder, and reloads it when it changes. Reports files that cannot be
 * used, and loads the others.
 *
 * @returns Undefined when the folder does not exist.
 * @throws {PermanentError} `too_many_tools` beyond 200 files.
 */
export async function watchToolFiles({ folder, taken, log }: ToolFolder): Promise<ToolFiles | undefined> {
  const files = await filesIn(folder);
  if (files === undefined) return undefined;
  offerToolKit();
  let loaded = await load(files, taken);
  let tools = toolsOf(loaded);
  let heard: (gone: readonly string[]) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading = Promise.resolve();
  report(loaded, log);

  const readAgain = async (): Promise<void> => {
    const before = tools;
    loaded = await load((await filesIn(folder)) ?? [], taken);
    tools = toolsOf(loaded);
    report(loaded, log);
    const names = new Set(tools.map(({ spec }) => spec.name));
    heard(before.map(({ spec }) => spec.name).filter((name) => !names.has(name)));
  };
  const watcher = watchFolder(folder, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reading = reading
        .then(readAgain)
        .catch((err: unknown) => log.error({ err, folder }, "could not reload tools"));
    }, SETTLE_MS);
  });
  return {
    tools: () => tools,
    broken: () => loaded.filter((file) => "reason" in file),
    onChange: (callback) => void (heard = callback),
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function watchFolder(folder: string, onChange: () => void): FSWatcher {
  const watcher = watch(folder, onChange);
  // The folder itself was removed: the loaded tools stay.
  watcher.on("error", () => undefined);
  return watcher.unref();
}

async function filesIn(folder: string): Promise<string[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  const files = names?.filter((name) => TOOL_FILE.test(name)).sort();
  if (files !== undefined && files.length > TOOL_FILES_MAX) {
    throw new PermanentError(
      `${folder}: wanted at most ${TOOL_FILES_MAX} files of tools, got ${files.length}`,
      {
        code: "too_many_tools",
      },
    );
  }
  return files?.map((name) => path.resolve(folder, name));
}

/** If two files have a tool of the same name, the first file's is used. */
async function load(files: readonly string[], taken: ReadonlySet<string>): Promise<LoadedFile[]> {
  const names = new Set(taken);
  const all = await Promise.all(files.map(loadToolFile));
  return all.map((one) => {
    if (!("tool" in one)) return one;
    const { name } = one.tool.spec;
    if (names.has(name)) return { file: one.file, reason: `there is another tool named ${name}` };
    names.add(name);
    return one;
  });
}

function report(loaded: readonly LoadedFile[], log: Logger): void {
  for (const one of loaded) {
    if ("reason" in one) log.error(one, "cannot load tool file");
    else log.info({ file: one.file, tool: one.tool.spec.name }, "custom tool loaded");
  }
}

function toolsOf(loaded: readonly LoadedFile[]): Tool[] {
  return loaded.flatMap((one) => ("tool" in one ? [one.tool] : []));
}

type LoadedFile =
  | { readonly file: string; readonly tool: Tool }
  | { readonly file: string; readonly reason: string };

const ToolParts = z.object({ spec: z.object({}), run: z.function(), parseInput: z.function() });
/** The result of `defineTool`. */
const Made = z.custom<Tool>((value) => ToolParts.safeParse(value).success);
const ToolModule = z.object({ default: Made });

/** Loads the current file. A problem is returned as the reason, never thrown. */
async function loadToolFile(file: string): Promise<LoadedFile> {
  try {
    const { mtimeMs } = await stat(file);
    // Node loads a module only once per URL.
    const module: unknown = await import(`${pathToFileURL(file).href}?changed=${mtimeMs}`);
    const made = ToolModule.safeParse({ ...Object(module) }).data;
    if (made !== undefined) return { file, tool: made.default };
    return { file, reason: "wanted a tool as the default export: export default defineTool({…})" };
  } catch (error) {
    return { file, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return describeError(error);
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
