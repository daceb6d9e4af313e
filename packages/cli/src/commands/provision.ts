import path from "node:path";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { listOf } from "../option-values.ts";

/** `planwright provision`: creates what services need on a nats-server that somebody else runs, and may not create themselves. */
export function provisionCommand({ env, stdout }: CommandContext): Command {
  return new Command("provision")
    .description("Create the streams and queues on the nats-server of NATS_URL, by a login that may")
    .option("--pool <pools>", "pools whose queues are wanted, separated by commas", listOf, ["default"])
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
      stdout.write(`streams and the queues of ${pool.join(", ")} are there\n`);
    });
}

/** `planwright credentials`: a login for a worker of one's own. */
export function credentialsCommand({ env, stdout }: CommandContext): Command {
  return new Command("credentials")
    .description("Create a login for workers of your own, and print its settings")
    .argument("<user>", "worker")
    .option("--pool <pools>", "the pools that it serves, separated by commas", listOf, ["default"])
    .option("--data <dir>", "the data folder of the running system; else PLANWRIGHT_DATA, else .planwright")
    .action(
      async (user: string, { pool, data }: { pool: readonly string[]; data?: string }, command: Command) => {
        if (user !== "worker") command.error(`error: wanted worker, got ${user}`);
        const { addWorker } = await import("@planwright/launcher/credentials");
        const folder = path.resolve(data ?? (env["PLANWRIGHT_DATA"] || ".planwright"));
        const { url, seedFile } = await addWorker(folder, pool);
        stdout.write(`NATS_URL=${url}\nNATS_NKEY_SEED=${seedFile}\nEXECUTOR_POOLS=${pool.join(",")}\n`);
      },
    );
}
