import { formatDuration } from "@planwright/plan/amounts";
import type { Worker, Workers } from "@planwright/client";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

type PoolQueue = Workers["pools"][number];

const COLUMNS: readonly Column<Worker>[] = [
  { title: "WORKER", of: ({ workerId }) => workerId },
  { title: "POOL", of: ({ pool }) => pool },
  { title: "SLOTS IN USE", of: ({ inFlight, concurrency }) => `${inFlight} of ${concurrency}` },
  { title: "TOOLS", of: ({ tools }) => String(tools.length) },
  {
    title: "VERSION",
    of: ({ version, brokenTools }) =>
      [version, ...brokenTools.map(({ file }) => `broken tool file: ${file}`)].join("  "),
    style: ({ brokenTools }) => (brokenTools.length === 0 ? "reset" : "red"),
  },
];

/** @param now - Milliseconds since the epoch, by this machine's clock; the server's may differ. */
function poolColumns(now: number): readonly Column<PoolQueue>[] {
  return [
    { title: "POOL", of: ({ pool }) => pool },
    { title: "QUEUED", of: ({ queued }) => String(queued) },
    { title: "IN PROGRESS", of: ({ delivered }) => String(delivered) },
    {
      title: "OLDEST MESSAGE AGE",
      of: ({ oldestAt }) =>
        oldestAt === undefined ? "-" : formatDuration(Math.max(0, now - Date.parse(oldestAt))),
    },
  ];
}

/** `planwright workers`: lists connected workers and the queues of their pools. */
export function workersCommand(context: CommandContext): Command {
  return new Command("workers")
    .description("List workers and queues")
    .action(async (_options: unknown, command: Command) => {
      const reply = await clientOf(command, context).workers.list();
      const { workers, pools } = reply;
      const output = outputOf(command, context);
      output.result(reply, () => {
        output.table(COLUMNS, workers);
        if (pools.length === 0) return;
        output.line("");
        output.table(poolColumns(Date.now()), pools);
      });
      if (workers.length === 0) output.note("\nNo workers connected. Steps wait until an executor starts.");
    });
}
