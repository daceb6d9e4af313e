/**
 * Builds what a Dockerfile describes as plain folders, for machines without a container engine: a stage is
 * a folder, COPY copies into it, and RUN runs in it as the same user. What a container would isolate is not
 * isolated: absolute paths of the image are rewritten to the folder, and `chown` does nothing.
 */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const RUN_TIMEOUT_MS = 180_000;

export type Image = {
  /** The folder that is the last stage's root. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
};

type Stage = { root: string; workdir: string; env: Record<string, string>; command: string[] };
type Instruction = { readonly name: string; readonly text: string };

/** Runs every instruction of `context`'s Dockerfile, each stage in a folder inside `work`. */
export async function buildImage({ context, work }: { context: string; work: string }): Promise<Image> {
  const instructions = parseDockerfile(await readFile(path.join(context, "Dockerfile"), "utf8"));
  const files = await contextFiles(context);
  const shims = await writeShims(work);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, text } of instructions) {
    if (name === "FROM") {
      const [base = "", , alias = "last"] = text.split(/\s+/);
      stage = await startStage({ root: path.join(work, alias), base: stages.get(base) });
      stages.set(alias, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${name} before the first FROM`);
    await apply({ name, text }, { stage, stages, context, files, shims });
  }
  if (stage === undefined) throw new Error("the Dockerfile has no stage");
  return stage;
}

/** The instructions in order, continued lines joined, comments gone. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, "")
    .replace(/\\\n/g, " ")
    .split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name: name.toUpperCase(), text: rest };
    });
}

type Build = {
  readonly stage: Stage;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly context: string;
  readonly files: readonly string[];
  readonly shims: string;
};

async function apply({ name, text }: Instruction, build: Build): Promise<void> {
  const { stage } = build;
  switch (name) {
    case "WORKDIR":
      stage.workdir = text;
      await mkdir(path.join(stage.root, text), { recursive: true });
      return;
    case "ENV": {
      const at = text.indexOf("=");
      stage.env[text.slice(0, at)] = text.slice(at + 1);
      return;
    }
    case "CMD":
      stage.command = JSON.parse(text) as string[];
      return;
    case "USER":
      return;
    case "COPY":
      return copy(text.split(/\s+/), build);
    case "RUN":
      return runInStage(text, build);
    default:
      throw new Error(`${name} is not understood here`);
  }
}

async function startStage({ root, base }: { root: string; base: Stage | undefined }): Promise<Stage> {
  if (base === undefined) {
    await mkdir(root, { recursive: true });
    return { root, workdir: "/", env: {}, command: [] };
  }
  await cp(base.root, root, { recursive: true, verbatimSymlinks: true });
  return { ...base, root, env: { ...base.env } };
}

async function copy(words: readonly string[], { stage, stages, context, files }: Build): Promise<void> {
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const paths = words.filter((word) => !word.startsWith("--"));
  const sources = paths.slice(0, -1);
  const target = path.join(stage.root, path.resolve(stage.workdir, paths.at(-1) ?? ""));
  const several = sources.length > 1 || paths.at(-1)?.endsWith("/");
  for (const source of sources) {
    if (from !== undefined) {
      const other = stages.get(from);
      if (other === undefined) throw new Error(`COPY --from=${from}: no such stage`);
      await cp(path.join(other.root, source), target, { recursive: true, verbatimSymlinks: true });
      continue;
    }
    const chosen = files.filter((file) => file === source || file.startsWith(`${source}/`));
    if (chosen.length === 0) throw new Error(`COPY ${source}: nothing of that name is sent to the build`);
    for (const file of chosen) {
      const relative = path.relative(source, file);
      const to = path.join(target, relative || (several ? path.basename(source) : ""));
      await mkdir(path.dirname(to), { recursive: true });
      await cp(path.join(context, file), to);
    }
  }
}

async function runInStage(text: string, { stage, shims }: Build): Promise<void> {
  const command = text.replace(/(^|\s)\/(?=\w)/g, `$1${stage.root}/`);
  const PATH = [shims, path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter);
  const cwd = path.join(stage.root, stage.workdir);
  const env = { ...process.env, ...stage.env, PATH, CI: "true" };
  await run("sh", ["-c", command], { cwd, env, timeout: RUN_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 });
}

/** Commands that only make sense as root of a container. */
async function writeShims(work: string): Promise<string> {
  const folder = path.join(work, "shims");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "chown"), "#!/bin/sh\n");
  await chmod(path.join(folder, "chown"), 0o755);
  return folder;
}

/** The files that a build is sent: those that `.dockerignore` lets through, relative to the context. */
async function contextFiles(context: string): Promise<string[]> {
  const isIgnored = parseDockerignore(await readFile(path.join(context, ".dockerignore"), "utf8"));
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const name of await readdir(path.join(context, folder))) {
      const file = path.join(folder, name);
      const entry = await stat(path.join(context, file)).catch(() => undefined);
      if (entry === undefined || isIgnored(file)) continue;
      if (entry.isDirectory()) await walk(file);
      else found.push(file);
    }
  };
  await walk("");
  return found;
}

/** The last pattern that matches a path, or a folder above it, decides; `!` lets it through again. */
export function parseDockerignore(text: string): (file: string) => boolean {
  const rules = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ ignore: !line.startsWith("!"), pattern: line.replace(/^!/, "") }));
  return (file) => {
    const parts = file.split(path.sep);
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    const last = rules.findLast(({ pattern }) => paths.some((name) => path.matchesGlob(name, pattern)));
    return last?.ignore ?? false;
  };
}
