import { VERSION } from "@planwright/shared/version";
import { Command } from "commander";
import { auditCommand } from "./commands/audit.ts";
import { backupCommand, restoreCommand } from "./commands/backup.ts";
import { checkCommand } from "./commands/check.ts";
import { completeCommand, completionCommand } from "./commands/completion.ts";
import { controlCommands } from "./commands/control.ts";
import { dataCommand } from "./commands/data.ts";
import { deadLettersCommand } from "./commands/dead-letters.ts";
import { answerCommand, approveCommand, rejectCommand } from "./commands/decide.ts";
import { deleteCommand } from "./commands/delete.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { forkCommand } from "./commands/fork.ts";
import { keysCommand } from "./commands/keys.ts";
import { listCommand } from "./commands/list.ts";
import { metricsCommand } from "./commands/metrics.ts";
import { credentialsCommand, provisionCommand } from "./commands/provision.ts";
import { rerunCommand } from "./commands/rerun.ts";
import { seedCommand } from "./commands/seed.ts";
import { showCommand } from "./commands/show.ts";
import { startCommand } from "./commands/start.ts";
import { submitCommand } from "./commands/submit.ts";
import { toolsCommand } from "./commands/tools.ts";
import { watchCommand } from "./commands/watch.ts";
import { workerCommand } from "./commands/worker.ts";
import { quotasCommand } from "./commands/quotas.ts";
import { workersCommand } from "./commands/workers.ts";
import type { CommandContext } from "./command-context.ts";
import { examplesOf } from "./examples.ts";
import { URL_DEFAULT } from "./global-options.ts";

const AFTER = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no gateway answers, 4 the key is missing or wrong, 5 refused;
of a plan that is watched: 0 it succeeded, 6 it failed, 7 it waits for a person, 8 it was cancelled, 9 it partially
succeeded, 10 its goal was refused, 130 Ctrl-C (the plan continues).
Colours are left out with NO_COLOR and where the output is no terminal.`;

/** All commands, each of which is a file under \`commands/\`. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("planwright")
    .description("Plans that turn a goal into an answer: see and steer them from a terminal.")
    .option("--url <url>", `the gateway; else PLANWRIGHT_URL, else ${URL_DEFAULT}`)
    .option("--api-key <key>", "the key for the gateway; else PLANWRIGHT_API_KEY")
    .option("--json", "print JSON")
    .version(VERSION, "--version", "print the version")
    .addHelpText("after", AFTER)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help says what it takes)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    })
    .helpCommand(true);
  for (const command of commandsOf(context)) {
    program.addCommand(
      command.copyInheritedSettings(program).addHelpText("after", examplesOf(command.name())),
    );
    for (const sub of command.commands) sub.copyInheritedSettings(command);
  }
  // Its old name, which answers for one release.
  program.addCommand(metricsCommand(context, "kpis").copyInheritedSettings(program), { hidden: true });
  program.addCommand(completeCommand(context).copyInheritedSettings(program), { hidden: true });
  return program;
}

/** In the order in which somebody new needs them. */
function commandsOf(context: CommandContext): Command[] {
  const define = [
    startCommand,
    workerCommand,
    credentialsCommand,
    provisionCommand,
    backupCommand,
    restoreCommand,
    submitCommand,
    watchCommand,
    listCommand,
    showCommand,
    approveCommand,
    rejectCommand,
    answerCommand,
    deleteCommand,
    rerunCommand,
    forkCommand,
    checkCommand,
    toolsCommand,
    dataCommand,
    workersCommand,
    metricsCommand,
    quotasCommand,
    keysCommand,
    auditCommand,
    deadLettersCommand,
    seedCommand,
    doctorCommand,
    completionCommand,
  ];
  const commands = define.map((one) => one(context));
  commands.splice(
    commands.findIndex((one) => one.name() === "delete"),
    0,
    ...controlCommands(context),
  );
  return commands;
}
