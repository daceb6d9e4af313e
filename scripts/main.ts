/**
 * The repository's commands, after `up.mjs` has installed their dependencies: each runs on the pinned Node from the
 * repository's root, and exits with the exit code of the program that it ran.
 */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import path from "node:path";
import { formatCommand, lintCommand, typesCommand } from "./commands/check.ts";
import { coverageCommand, fullTestCommand, picturesCommand, testCommand } from "./commands/test.ts";
import { runNode } from "./run-node.ts";

type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  // Loaded on demand: the other commands do not need the system.
  async start(args) {
    // Code compiled by one start is reused by the next.
    enableCompileCache(path.resolve("node_modules/.cache/node"));
    return (await import("./commands/start.ts")).startCommand(args);
  },
  test: testCommand,
  "test:full": fullTestCommand,
  coverage: coverageCommand,
  pictures: picturesCommand,
  lint: lintCommand,
  format: formatCommand,
  types: typesCommand,
  example: script("scripts/example.ts"),
  eval: script("scripts/eval.ts"),
  bench: script("benchmarks/src/main.ts"),
  soak: script("benchmarks/src/soak/main.ts"),
  // Loaded on demand, like the bundler.
  async release(args) {
    return (await import("./commands/release.ts")).releaseCommand(args);
  },
  // Loaded on demand: it reads the services' settings.
  async chart() {
    return (await import("./commands/chart.ts")).chartCommand();
  },
  docs: script("scripts/docs.ts"),
  recordings: script("scripts/recordings.ts"),
};

const [name = "start", ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (command === undefined) {
  console.error(`unknown command "${name}": expected one of ${Object.keys(COMMANDS).join(", ")}`);
  process.exitCode = 2;
} else {
  process.exitCode = await command(args);
}

function script(file: string): Command {
  return async (args) => {
    if (existsSync(file)) return runNode([file, ...args]);
    console.error(`${file} does not exist`);
    return 2;
  };
}
