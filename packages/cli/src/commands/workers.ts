import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const Worker = z.looseObject({
  workerId: z.string(),
  pool: z.string(),
  version: z.string(),
  inFlight: z.number(),
  concurrency: z.number(),
  tools: z.array(z.string()),
  brokenTools: z.array(z.looseObject({ file: z.string(), reason: z.string() })).default([]),
});
type Worker = z.infer<typeof Worker>;
export const WorkersReply = z.object({ workers: z.array(Worker) });

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

/** `planwright workers`: the workers that are there. */
export function workersCommand(context: CommandContext): Command {
  return new Command("workers")
    .description("list the workers that are there, with their pool and what they are doing")
    .action(async (_options: unknown, command: Command) => {
      const { workers } = await clientOf(command, context).get("/v1/workers", WorkersReply);
      const output = outputOf(command);
      output.result(workers, () => output.table(COLUMNS, workers));
      if (workers.length === 0) output.note("\nNone is there: steps wait until an executor starts.");
    });
}
