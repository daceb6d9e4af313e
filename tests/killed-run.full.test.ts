// A test run that is killed outright takes everything that its tests have started with it.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, it } from "vitest";

type Running = { readonly pid: number; readonly parent: number; readonly command: string };

/** All processes of the machine that have not ended. */
async function running(): Promise<Running[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat=,args="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || state.startsWith("Z")
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** A process and all that it and its children have started. */
function treeOf(root: number, all: readonly Running[]): Running[] {
  const children = all.filter(({ parent }) => parent === root);
  return [...all.filter(({ pid }) => pid === root), ...children.flatMap(({ pid }) => treeOf(pid, all))];
}

it("leaves no service, nats-server, browser or other process behind when the run is killed", async () => {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/killed-run/vitest.config.ts"];
  const run = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  run.stdout.on("data", (piece: Buffer) => {
    said += piece.toString();
  });
  const ended = once(run, "exit");
  try {
    // What it said is shown when it has ended by itself.
    await expect.poll(() => said, { timeout: 180_000 }).toContain("everything runs");
    const started = treeOf(run.pid ?? 0, await running());
    const commands = started.map(({ command }) => command).join("\n");
    for (const part of ["gateway", "executor", "planner", "reflector", "nats-server", "chrom", "server.ts"]) {
      expect(commands).toContain(part);
    }
    run.kill("SIGKILL");
    await ended;
    const left = async () => {
      const now = await running();
      return started.filter(({ pid, command }) =>
        now.some((one) => one.pid === pid && one.command === command),
      );
    };
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  } finally {
    run.kill("SIGKILL");
  }
});
