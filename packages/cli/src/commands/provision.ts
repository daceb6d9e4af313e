import path from "node:path";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { listOf } from "../option-values.ts";

/**
 * `planwright provision`: creates the streams and queues that services need, but are not permitted to create, on an external
 * nats-server.
 */
export function provisionCommand({ env, stdout }: CommandContext): Command {
  return new Command("provision")
    .description("Create the streams and queues on the nats-server at NATS_URL (requires an admin login)")
    .option("--pool <pools>", "Pools to create queues for, separated by commas", listOf, ["default"])
    .action(async ({ pool }: { pool: readonly string[] }) => {
      const { natsAccess, natsConfig, replicasConfig } = await import("@planwright/shared/access");
      const { readConfig } = await import("@planwright/shared/service");
      const { provisionServer } = await import("@planwright/shared/users");
      const { z } = await import("zod");
      const config = readConfig(z.object({ ...natsConfig, ...replicasConfig }), env);
      await provisionServer(natsAccess(config), {
        pools: pool,
        replicas: config.NATS_REPLICAS,
        signal: AbortSignal.timeout(30_000),
      });
      stdout.write(`streams are ready; queues are ready for pools: ${pool.join(", ")}\n`);
    });
}

/** `planwright credentials`: creates a login for a user's own workers. */
export function credentialsCommand({ env, stdout }: CommandContext): Command {
  return new Command("credentials")
    .description("Create a NATS login for your own workers and print its settings")
    .argument("<user>", "Kind of login; only `worker` is supported")
    .option("--pool <pools>", "Pools that the worker serves, separated by commas", listOf, ["default"])
    .option("--data <dir>", "Data folder of the running system (default: PLANWRIGHT_DATA, then .planwright)")
    .action(
      async (user: string, { pool, data }: { pool: readonly string[]; data?: string }, command: Command) => {
        if (user !== "worker") command.error(`error: unknown kind of login "${user}": use "worker"`);
        const { addWorker } = await import("@planwright/launcher/credentials");
        const folder = path.resolve(data ?? (env["PLANWRIGHT_DATA"] || ".planwright"));
        const { url, seedFile } = await addWorker(folder, pool);
        stdout.write(`NATS_URL=${url}\nNATS_NKEY_SEED=${seedFile}\nEXECUTOR_POOLS=${pool.join(",")}\n`);
      },
    );
}
