import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Outcome } from "@planwright/plan";
import { z } from "zod";
import type { ModelScript } from "../model/start-scripted-model.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDER = path.join(ROOT, "examples");
const REQUEST = "request.json";

/** One folder under `examples/`: the request, and the model's replies. */
export type Example = {
  readonly name: string;
  /** The body of `POST /v1/plans`. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The model's replies by role; absent when the example runs with the demo model. */
  readonly script?: ModelScript;
  /** The outcome of its plan with these replies, if not `succeeded`: some examples show failures. */
  readonly expected?: Outcome;
  /** The file of agent types for its executors, if any. */
  readonly agentsFile?: string;
  /** The script of the external server it needs, if any: see `startExampleServer`. */
  readonly serverFile?: string;
  /** The folder of its own tools, if any. */
  readonly toolsFolder?: string;
  /** The SQL that creates the database of the source in `sources.json` beside it, if any. */
  readonly seedFile?: string;
};

const ScriptModule = z.object({
  script: z.custom<ModelScript>((value) => typeof value === "object" && value !== null),
  expected: Outcome.optional(),
});

/** The names of all examples, sorted. */
export async function listExamples(): Promise<string[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.name === REQUEST)
    .map((entry) => path.relative(FOLDER, entry.parentPath))
    .toSorted((left, right) => left.localeCompare(right));
}

/** @throws When there is no such example; the message lists the existing ones. */
export async function loadExample(name: string): Promise<Example> {
  const names = await listExamples();
  if (!names.includes(name)) throw new Error(`no example "${name}"; there are: ${names.join(", ")}`);
  const folder = path.join(FOLDER, name);
  const request = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(await readFile(path.join(folder, REQUEST), "utf8")));
  const files = await readdir(folder);
  const own = {
    ...(files.includes("agents.json") ? { agentsFile: path.join(folder, "agents.json") } : {}),
    ...(files.includes("server.ts") ? { serverFile: path.join(folder, "server.ts") } : {}),
    ...(files.includes("seed.sql") ? { seedFile: path.join(folder, "seed.sql") } : {}),
    ...(files.includes("tools") ? { toolsFolder: path.join(folder, "tools") } : {}),
  };
  if (!files.includes("model.ts")) return { name, request, ...own };
  const module: unknown = await import(pathToFileURL(path.join(folder, "model.ts")).href);
  const { script, expected } = ScriptModule.parse(module);
  return { name, request, ...own, script, ...(expected === undefined ? {} : { expected }) };
}
