import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";
import { z } from "zod";

/** The machine that the results were measured on, without its name. */
export const Machine = z.object({
  cores: z.int(),
  processor: z.string(),
  memoryGib: z.number(),
  platform: z.string(),
  node: z.string(),
  natsServer: z.string(),
  /** The version of the sources; absent outside a repository. `+` marks uncommitted changes. */
  commit: z.string().optional(),
});
export type Machine = z.infer<typeof Machine>;

export async function describeMachine({ natsVersion }: { natsVersion: string }): Promise<Machine> {
  const commit = await commitOf();
  return {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? "unknown",
    memoryGib: Math.round(os.totalmem() / 2 ** 30),
    platform: `${os.platform()} ${os.arch()}`,
    node: process.versions.node,
    natsServer: natsVersion,
    ...(commit === undefined ? {} : { commit }),
  };
}

async function commitOf(): Promise<string | undefined> {
  const run = promisify(execFile);
  try {
    const { stdout } = await run("git", ["rev-parse", "--short", "HEAD"]);
    const status = await run("git", ["status", "--porcelain", "--untracked-files=no"]);
    return stdout.trim() + (status.stdout.trim() === "" ? "" : "+");
  } catch {
    return undefined;
  }
}
