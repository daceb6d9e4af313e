/** The file that says which agent types there are. */
import {
  AgentType,
  canonicalJson,
  describeZodIssue,
  JsonValue,
  PoolName,
  poolOfType,
} from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import type { AgentSet } from "@planwright/shared/tools";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const TYPES_MAX = 100;
/** All of it is one entry of a registry. */
const BYTES_MAX = 512 * 1024;
const FAULTS_MAX = 10;

/** Strict, because people write it. */
export const AgentFile = z.strictObject({
  $schema: z.string().optional(),
  agents: z
    .record(PoolName, z.strictObject(AgentType.shape))
    .refine((agents) => Object.keys(agents).length <= TYPES_MAX, `wanted at most ${TYPES_MAX} agent types`),
});

/**
 * Finds and reads the file: the one that is named, else `agents.json` in the data folder or in the working folder.
 *
 * @returns Undefined when none is named and there is none.
 * @throws {PermanentError} `invalid_agents`: which file, where in it, what was wanted and what came.
 */
export async function findAgentFile({
  named,
  folders,
}: {
  readonly named: string | undefined;
  readonly folders: readonly string[];
}): Promise<AgentSet | undefined> {
  if (named !== undefined) {
    const text = await readText(named);
    if (text === undefined) throw invalid(named, ["wanted a file, there is none"]);
    return readAgents(named, text);
  }
  for (const folder of folders) {
    const file = path.join(folder, "agents.json");
    const text = await readText(file);
    if (text !== undefined) return readAgents(file, text);
  }
  return undefined;
}

/** @throws {PermanentError} `invalid_agents`, with every fault. */
export function readAgents(file: string, text: string): AgentSet {
  const bytes = Buffer.byteLength(text);
  if (bytes > BYTES_MAX) throw invalid(file, [`wanted at most ${BYTES_MAX} bytes, got ${bytes}`]);
  const input = decode(file, text);
  const parsed = AgentFile.safeParse(input);
  if (!parsed.success)
    throw invalid(
      file,
      parsed.error.issues.map((issue) => faultOf(issue, input)),
    );
  const { agents: types } = parsed.data;
  const digest = createHash("sha256")
    .update(canonicalJson(JsonValue.parse(types)))
    .digest("hex")
    .slice(0, 12);
  return { digest, types };
}

/**
 * Refuses types that may use a tool which this executor has not, where it is to run their steps.
 *
 * @param pools - Those that it serves.
 * @throws {PermanentError} `invalid_agents`.
 */
export function refuseMissingTools(
  { types }: AgentSet,
  { pools, tools }: { readonly pools: ReadonlySet<string>; readonly tools: ReadonlySet<string> },
): void {
  const faults = Object.entries(types).flatMap(([name, type]) =>
    pools.has(poolOfType(name, type))
      ? type.tools.flatMap((tool, index) =>
          tools.has(tool)
            ? []
            : [
                `agents.${name}.tools[${index}]: wanted a tool that this executor has, got ${JSON.stringify(tool)}`,
              ],
        )
      : [],
  );
  if (faults.length > 0) throw invalid("agent types", faults);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new PermanentError(`${file} cannot be read`, { code: "invalid_agents", cause });
  }
}

function decode(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(file, [`wanted JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function faultOf(issue: z.core.$ZodIssue, input: unknown): string {
  const where = pathOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `${where}: there is no such field: ${keys}`;
  }
  if (issue.code === "invalid_key") {
    return `${where}: wanted a name of lower-case letters, digits and hyphens, at most 32`;
  }
  return `${where}: ${describeZodIssue(issue, valueAt(input, issue.path))}`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return text === "" ? "the file" : text.replace(/^\./, "");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, part);
    value = isThere ? Reflect.get(Object(value), part) : undefined;
  }
  return value;
}

function invalid(file: string, faults: readonly string[]): PermanentError {
  const more = faults.length > FAULTS_MAX ? [`${faults.length - FAULTS_MAX} more`] : [];
  return new PermanentError(`${file}: ${[...faults.slice(0, FAULTS_MAX), ...more].join("; ")}`, {
    code: "invalid_agents",
  });
}
