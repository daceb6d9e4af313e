import path from "node:path";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";

const LOGINS = ["NATS_NKEY_SEED", "NATS_CREDS", "NATS_USER", "NATS_TOKEN"];

/** `planwright start`: runs the whole system on this machine. The supervisor parses the options. */
export function startCommand({ env, endWith }: CommandContext): Command {
  return new Command("start")
    .description("Start the whole system on this machine")
    .argument(
      "[options...]",
      "--port, --data, --executors, --one-process, --json-logs (see `planwright start --help`)",
    )
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      // Loaded here: the other commands need none of the services' dependencies.
      const { startSystem } = await import("../start/start-system.ts");
      const code = await startSystem(args, { ...env });
      endWith(Object.values(EXIT).find((known) => known === code) ?? EXIT.failed);
    });
}

/** `planwright worker`: runs another executor, with this folder's tools, for a system that is already running. */
export function workerCommand({ env }: CommandContext): Command {
  return new Command("worker")
    .description("Run a worker with this folder's tools for the system at PLANWRIGHT_DATA or NATS_URL")
    .action(async () => {
      const hasLogin = LOGINS.some((name) => Boolean(env[name]));
      if (!env["NATS_URL"] && !hasLogin) Object.assign(process.env, await ownLogin(env));
      // The executor reads the environment, runs until a signal stops it, and sets the exit code.
      await import("../start/services/executor.ts");
    });
}

/** Creates a login with the system that runs on the data folder. Anyone who can read the folder can have one. */
async function ownLogin(env: CommandContext["env"]): Promise<Record<string, string>> {
  const { addWorker } = await import("@planwright/launcher/credentials");
  const { poolsOf } = await import("@planwright/executor/pools");
  const folder = path.resolve(env["PLANWRIGHT_DATA"] || ".planwright");
  try {
    const { url, seedFile } = await addWorker(folder, await poolsOf(env));
    return { NATS_URL: url, NATS_NKEY_SEED: seedFile };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(
      EXIT.usage,
      `NATS_URL is not set, and ${why}. Set PLANWRIGHT_DATA to the data folder of a running system, or set NATS_URL and a login`,
    );
  }
}
