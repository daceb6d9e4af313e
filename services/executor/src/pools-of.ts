import { z } from "zod";
import { readConfig, type Environment } from "@planwright/shared/service";
import { findAgentFile } from "./agents/agent-file.ts";
import { ExecutorConfig } from "./config.ts";
import { readPools } from "./pool-settings.ts";

const { EXECUTOR_POOLS, PLANWRIGHT_AGENTS, PLANWRIGHT_DATA } = ExecutorConfig.shape;
const PoolsConfig = z.object({ EXECUTOR_POOLS, PLANWRIGHT_AGENTS, PLANWRIGHT_DATA });

/**
 * The pools that an executor with these settings serves.
 *
 * @throws If the settings or the agents file cannot be read.
 */
export async function poolsOf(env: Environment): Promise<string[]> {
  const config = readConfig(PoolsConfig, env);
  const folders = [config.PLANWRIGHT_DATA, "."];
  const agents = await findAgentFile({ named: config.PLANWRIGHT_AGENTS, folders });
  const types = agents === undefined ? {} : { types: agents.types };
  return readPools(config.EXECUTOR_POOLS, { concurrency: 1, ...types }).map(({ pool }) => pool);
}
