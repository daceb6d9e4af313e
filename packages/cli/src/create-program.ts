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
Exit codes: 0 success, 1 error, 2 invalid usage, 3 gateway unreachable, 4 API key missing or invalid,
5 request refused. When watching a plan: 0 succeeded, 6 failed, 7 approval required, 8 cancelled,
9 partially succeeded, 10 goal refused, 130 detached with Ctrl-C (the plan continues).
Set NO_COLOR to turn off colours; they are off when the output is not a terminal.`;

/** Commands that parse their arguments themselves, `--help` included. */
const HAS_OWN_HELP: ReadonlySet<string> = new Set(["start"]);

/** Defines all commands; each is a file under `commands/`. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("planwright")
    .description("Submit, watch and control Planwright plans.")
    .option("--url <url>", `Gateway URL (default: PLANWRIGHT_URL, then ${URL_DEFAULT})`)
    .option("--api-key <key>", "API key (default: PLANWRIGHT_API_KEY)")
    .option("--json", "Print JSON")
    .version(VERSION, "--version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .addHelpText("after", AFTER)
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => title.replace("Global Options", "Global options"),
    })
    .showHelpAfterError("See --help.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    })
    .helpCommand("help [command]", "Show help for a command");
  for (const command of commandsOf(context)) {
    program.addCommand(
      command.copyInheritedSettings(program).addHelpText("after", examplesOf(command.name())),
    );
    for (const sub of command.commands) sub.copyInheritedSettings(command);
    // Inheriting the settings has turned it on again.
    if (HAS_OWN_HELP.has(command.name())) command.helpOption(false);
  }
  // The old name of `metrics`, kept for one release.
  program.addCommand(metricsCommand(context, "kpis").copyInheritedSettings(program), { hidden: true });
  program.addCommand(completeCommand(context).copyInheritedSettings(program), { hidden: true });
  return program;
}

/** Lists commands in the order in which a new user needs them. */
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
