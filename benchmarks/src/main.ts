/** `npm run bench -- <workload> …`: measures the system beside its floor, and writes the results. */
import path from "node:path";
import { findNatsServer } from "@planwright/launcher";
import { parseArguments, RECORDED, UsageError } from "./command/parse-arguments.ts";
import { runWorkload } from "./command/run-workload.ts";
import { describeMachine } from "./measure/machine.ts";
import { lineOf } from "./report/result.ts";
import { writeReport, writeResult } from "./report/write-report.ts";
import { GROUPS, WORKLOADS } from "./workloads/index.ts";

const HELP = `usage: npm run bench -- <workload> … [options]

  --runs N          how often each is measured after its warm-up (5); the median is reported
  --plans N         how many plans stored-plans stores (100000)
  --all             every question of the LLM Compiler's data sets, instead of 30 of each
  --out FOLDER      for the raw samples, the table and the plot
                    (benchmarks/results for all, .planwright/benchmarks otherwise)
  --profile FOLDER  each service writes a processor profile there when it stops

The "unfused" workloads run with FUSION=off: light steps are sent one by one instead of in units.
One JSON line a workload goes to stdout. Workloads:

${WORKLOADS.map(({ name, title }) => `  ${name.padEnd(16)} ${title}`).join("\n")}
  ${Object.entries(GROUPS)
    .filter(([name]) => name !== "all")
    .map(([name, members]) => `${name.padEnd(16)} ${members.join(", ")}`)
    .join("\n  ")}
  ${"all".padEnd(16)} every one of them; rewrites the table of benchmarks/README.md`;

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const names = WORKLOADS.map(({ name }) => name);
  const command = parseArguments(process.argv.slice(2), { workloads: names, groups: GROUPS });
  if (command.kind === "help") {
    console.log(HELP);
    return;
  }
  const { version } = await findNatsServer({ env: process.env, log: (line) => console.error(line) });
  const machine = await describeMachine({ natsVersion: version });
  for (const workload of WORKLOADS.filter(({ name }) => command.workloads.includes(name))) {
    const result = await runWorkload(workload, { ...command, machine });
    console.log(lineOf(result));
    await writeResult(command.out, result);
  }
  const intoReadme = path.resolve(command.out) === path.resolve(RECORDED);
  await writeReport(command.out, { names, intoReadme });
}
