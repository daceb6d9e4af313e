/** The Dockerfile as its parser reads it, and what a build is sent of the repository. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Copy, DockerfileParser, type From, type Instruction } from "dockerfile-ast";

export const ROOT = path.resolve(import.meta.dirname, "../..");
export const DOCKERFILE = readFileSync(path.join(ROOT, "Dockerfile"), "utf8");

export type Stage = {
  readonly name: string | undefined;
  /** The image or the stage that it continues. */
  readonly from: string;
  readonly copies: readonly Copied[];
  /** Its commands, each on one line. */
  readonly runs: readonly string[];
  readonly command: readonly string[];
};

export type Copied = {
  /** The stage that it is copied from; absent: the build's context. */
  readonly stage: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
};

/** Its stages in order; the last one is the image. */
export function stagesOf(text: string): readonly Stage[] {
  const stages: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === "FROM") stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages.map(stageOf);
}

function stageOf(instructions: readonly Instruction[]): Stage {
  const named = (keyword: string) => instructions.filter((one) => one.getKeyword() === keyword);
  // The parser has a class for each keyword.
  const [from] = named("FROM") as From[];
  return {
    name: from?.getBuildStage() ?? undefined,
    from: from?.getImage() ?? "",
    copies: (named("COPY") as Copy[]).map((copy) => {
      const paths = wordsOf(copy);
      return {
        stage: copy.getFromFlag()?.getValue() ?? undefined,
        sources: paths.slice(0, -1),
        target: paths.at(-1) ?? "",
      };
    }),
    runs: named("RUN").map((run) => run.getArgumentsContent()?.replaceAll("\\\n", " ") ?? ""),
    command: named("CMD").flatMap((cmd) => JSON.parse(cmd.getArgumentsContent() ?? "[]") as string[]),
  };
}

function wordsOf(instruction: Instruction): string[] {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  return words.filter((word) => !word.startsWith("--"));
}

/** What a stage copies out of the context, what it continues included. */
export function sourcesOf(stage: Stage, stages: readonly Stage[]): readonly string[] {
  const base = stages.find(({ name }) => name === stage.from);
  const own = stage.copies.flatMap((copy) => (copy.stage === undefined ? copy.sources : []));
  return [...(base === undefined ? [] : sourcesOf(base, stages)), ...own];
}

/**
 * Whether `.dockerignore` keeps a path out of the build: the last pattern that matches it, or a folder above it, decides; `!` lets it
 * through again.
 */
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

/** `.dockerignore` of this repository. */
export const isIgnored = parseDockerignore(readFileSync(path.join(ROOT, ".dockerignore"), "utf8"));
