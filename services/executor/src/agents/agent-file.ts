/** The file that defines the agent types. */
import { AgentType, canonicalJson, JsonValue, PoolName, poolOfType } from "@planwright/plan";
import { findConfigFile, invalidConfigFile, parseConfigFile } from "@planwright/shared/service";
import type { AgentSet } from "@planwright/shared/tools";
import { createHash } from "node:crypto";
import { z } from "zod";

const TYPES_MAX = 100;
const CODE = "invalid_agents";
const KEYS = "a name of lower-case letters, digits and hyphens, at most 32";

/** Strict, because it is written by hand. */
export const AgentFile = z.strictObject({
  $schema: z.string().optional(),
  agents: z
    .record(PoolName, z.strictObject(AgentType.shape))
    .refine((agents) => Object.keys(agents).length <= TYPES_MAX, `wanted at most ${TYPES_MAX} agent types`),
});

/**
 * Finds and reads the file: the configured one, else `agents.json` in the data folder or in the working folder.
 *
 * @returns Undefined when none is configured and none is found.
 * @throws {PermanentError} `invalid_agents`: the file, the location in it, what was expected and what was found.
 */
export async function findAgentFile({
  named,
  folders,
}: {
  readonly named: string | undefined;
  readonly folders: readonly string[];
}): Promise<AgentSet | undefined> {
  const found = await findConfigFile({ named, folders, fileName: "agents.json", code: CODE });
  return found && readAgents(found.file, found.text);
}

/** @throws {PermanentError} `invalid_agents`, with every error. */
export function readAgents(file: string, text: string): AgentSet {
  const { agents: types } = parseConfigFile(AgentFile, { file, text, code: CODE, keys: KEYS });
  const digest = createHash("sha256")
    .update(canonicalJson(JsonValue.parse(types)))
    .digest("hex")
    .slice(0, 12);
  return { digest, types };
}

/**
 * Rejects types that name a tool that this executor lacks, if it would run their steps.
 *
 * @param options.pools - The pools that it serves.
 * @param options.mayHave - Whether a tool can become available later.
 * @throws {PermanentError} `invalid_agents`.
 */
export function refuseMissingTools(
  { types }: AgentSet,
  {
    pools,
    tools,
    mayHave,
  }: {
    readonly pools: ReadonlySet<string>;
    readonly tools: ReadonlySet<string>;
    readonly mayHave?: ((tool: string) => boolean) | undefined;
  },
): void {
  const faults = Object.entries(types).flatMap(([name, type]) =>
    pools.has(poolOfType(name, type))
      ? type.tools.flatMap((tool, index) =>
          tools.has(tool) || mayHave?.(tool) === true
            ? []
            : [
                `agents.${name}.tools[${index}]: wanted a tool that this executor has, got ${JSON.stringify(tool)}`,
              ],
        )
      : [],
  );
  if (faults.length > 0) throw invalidConfigFile("agent types", { code: CODE, faults });
}
