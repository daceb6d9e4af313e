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
  { title: "IN FLIGHT", of: ({ inFlight, concurrency }) => `${inFlight} of ${concurrency}` },
  { title: "TOOLS", of: ({ tools }) => String(tools.length) },
  {
    title: "VERSION",
    of: ({ version, brokenTools }) =>
      [version, ...brokenTools.map(({ file }) => `${file} is broken`)].join("  "),
    style: ({ brokenTools }) => (brokenTools.length === 0 ? "reset" : "red"),
  },
];

/** @param now - In milliseconds since the epoch: the server's clock may differ from this one. */
function poolColumns(now: number): readonly Column<PoolQueue>[] {
  return [
    { title: "POOL", of: ({ pool }) => pool },
    { title: "QUEUED", of: ({ queued }) => String(queued) },
    { title: "IN HAND", of: ({ delivered }) => String(delivered) },
    {
      title: "OLDEST WAITS",
      of: ({ oldestAt }) =>
        oldestAt === undefined ? "-" : formatDuration(Math.max(0, now - Date.parse(oldestAt))),
    },
  ];
}

/** `planwright workers`: the workers that are there, and what waits for them. */
export function workersCommand(context: CommandContext): Command {
  return new Command("workers")
    .description(
      "list the workers that are there, with their pool and what they are doing, and what waits in the pools",
    )
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
      if (workers.length === 0) output.note("\nNone is there: steps wait until an executor starts.");
    });
}
