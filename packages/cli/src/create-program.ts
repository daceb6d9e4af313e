import { VERSION } from "@planwright/shared/version";
import { Command } from "commander";
import wrapAnsi from "wrap-ansi";
import { COMMAND, type CommandContext } from "./command-context.ts";
import { auditCommand } from "./commands/audit.ts";
import { backupCommand, restoreCommand } from "./commands/backup.ts";
import { completeCommand, completionCommand } from "./commands/completion.ts";
import { cancelCommand, deleteCommand, pauseCommand, resumeCommand } from "./commands/control.ts";
import { dataCommand, toolsCommand } from "./commands/data.ts";
import { deadLettersCommand } from "./commands/dead-letters.ts";
import { answerCommand, approveCommand, rejectCommand } from "./commands/decide.ts";
import { diffCommand } from "./commands/diff.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { keysCommand, sessionsCommand } from "./commands/keys.ts";
import { listCommand } from "./commands/list.ts";
import { logsCommand, watchCommand } from "./commands/logs.ts";
import { metricsCommand } from "./commands/metrics.ts";
import { openCommand } from "./commands/open.ts";
import { credentialsCommand, provisionCommand } from "./commands/provision.ts";
import { quotasCommand } from "./commands/quotas.ts";
import { forkCommand, rerunCommand } from "./commands/rerun.ts";
import { seedCommand } from "./commands/seed.ts";
import { showCommand } from "./commands/show.ts";
import { startCommand, workerCommand } from "./commands/start.ts";
import { stepCommand } from "./commands/step.ts";
import { checkCommand, submitCommand } from "./commands/submit.ts";
import { templateCommand } from "./commands/template.ts";
import { workersCommand } from "./commands/workers.ts";
import { URL_DEFAULT } from "./global-options.ts";
import { fullName, jsonFieldsOf } from "./output/json-fields.ts";

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  start: ["start", "start --port 9000 --data /var/lib/planwright --executors 4"],
  credentials: ["credentials worker --pool shop"],
  provision: ["provision", "provision --pool default,shop"],
  backup: ["backup /var/backups/planwright/2026-01-01"],
  restore: ["restore /var/backups/planwright/2026-01-01 --data /var/lib/planwright"],
  submit: [
    'submit --watch "Which region grew fastest in Q4?"',
    'submit --data sales --usd 0.50 --approve-plan "Which region grew fastest in Q4?"',
    'submit --plan plan.json "Order the best seller again"',
    "submit --template quarter --set quarter=Q1 --watch",
  ],
  watch: ["watch ID", "watch ID --json | jq .event.type"],
  list: [
    "list --status awaiting-approval",
    "list --search pricing --limit 5",
    "list --status failed --json planId,goal,endedAt",
  ],
  show: ["show ID", "show Ka-eDYid", "show ID --json answer | jq -r .answer.text"],
  step: ["step ID fetch", "step ID fetch --json output,attempts"],
  logs: ["logs ID", "logs --follow ID", "logs ID --step fetch --json | jq .event.type"],
  open: ["open", "open ID", "open ID fetch --print"],
  diff: ["diff ID ID", "diff ID ID --json counts,figures"],
  template: [
    "template list",
    "template save ID quarter --parameter quarter=Q4",
    "template show quarter",
    "submit --template quarter --set quarter=Q1",
    "template delete quarter",
  ],
  "template save": ["template save ID quarter --parameter quarter=Q4 --parameter region=North"],
  approve: ["approve ID", 'approve ID risk-order-0 --edits \'{"pieces": 120}\' --reason "enough"'],
  reject: ['reject ID --reason "too expensive"'],
  answer: ["answer ID APPROVAL yes, the blue one"],
  pause: ['pause ID --reason "wait for the new prices"'],
  resume: ["resume ID"],
  cancel: ["cancel ID"],
  delete: ["delete ID", "delete --yes ID ID"],
  rerun: [
    "rerun --watch ID",
    'rerun ID --goal "Which region grew fastest in Q3?"',
    "rerun ID --edits @edits.json",
  ],
  fork: ["fork --watch ID STEP --edits @arguments.json"],
  check: ["check plan.json", "check - < plan.json"],
  metrics: ["metrics --from 2026-01-01"],
  keys: ["keys", "keys create ci --role submitter --expires 90d", "keys revoke 1f2e3d4c5b6a"],
  audit: ["audit > audit.ndjson", "audit --verify", "audit --verify --file audit.ndjson"],
  "dead-letters": ["dead-letters", "dead-letters --retry all", "dead-letters --discard GROUP"],
  seed: ["seed", "seed --force"],
};

const AFTER = `
Examples:
  ${COMMAND} submit --watch "Which region grew fastest in Q4?"
  ${COMMAND} list --status failed --json planId,goal
  ${COMMAND} show Ka-eDYid                     a plan by the first characters of its ID
  ${COMMAND} step Ka-eDYid fetch               input, output and attempts of a step
  ${COMMAND} logs --follow Ka-eDYid
  ${COMMAND} approve Ka-eDYid
  ${COMMAND} help submit                       options and examples of a command

Exit codes: 0 success, 1 error, 2 invalid usage, 3 gateway unreachable, 4 API key missing or invalid,
5 request refused. When watching a plan: 0 succeeded, 6 failed, 7 approval required, 8 cancelled,
9 partially succeeded, 10 goal refused, 130 detached with Ctrl-C (the plan continues).
Set NO_COLOR to turn off colours; they are off when the output is not a terminal.`;

const HELP_COLUMNS = 78;
/** Commands that parse their arguments themselves, `--help` included. */
const HAS_OWN_HELP: ReadonlySet<string> = new Set(["start"]);

/** Defines all commands; each is a file under `commands/`. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("planwright")
    .description("Submit, watch and control Planwright plans.")
    .option("--url <url>", `Gateway URL (default: PLANWRIGHT_URL, then ${URL_DEFAULT})`)
    .option("--api-key <key>", "API key (default: PLANWRIGHT_API_KEY)")
    .option("--json [fields]", "Print JSON, with these fields only (such as a,b); default: all")
    .version(VERSION, "--version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .addHelpText("after", AFTER)
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => title.replace("Global Options", "Global options"),
    })
    .showHelpAfterError(`See ${COMMAND} --help`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
      outputError: (text, write) => write(errorText(text)),
    })
    .commandsGroup("Shell:")
    .helpCommand("help [command]", "Show help for a command");
  for (const command of commandsOf(context)) {
    program.addCommand(command);
    prepare(command, program);
    for (const sub of command.commands) prepare(sub, command);
    // Inheriting the settings turned it on again.
    if (HAS_OWN_HELP.has(command.name())) command.helpOption(false);
  }
  // The old name of `metrics`, kept for one release.
  program.addCommand(metricsCommand(context, "kpis").copyInheritedSettings(program), { hidden: true });
  program.addCommand(completeCommand(context).copyInheritedSettings(program), { hidden: true });
  return program;
}

/** Formats commander's errors like this program's own. */
function errorText(text: string): string {
  return text.replace(/^error: /, "planwright: ").replace(/\n\(Did you mean (.+)\?\)/, "; did you mean $1?");
}

/** Adds the text below a command's help, and below an error about its usage. */
function prepare(command: Command, parent: Command): void {
  const name = fullName(command);
  command
    .copyInheritedSettings(parent)
    .addHelpText("after", `${fieldsText(name)}${examplesOf(name)}`)
    .showHelpAfterError(`Usage: ${COMMAND} ${name} ${command.usage()}\nSee ${COMMAND} help ${name}`);
}

function fieldsText(name: string): string {
  const fields = jsonFieldsOf(name);
  if (fields.length === 0) return "";
  return `\nJSON fields:\n${wrapAnsi(fields.join(", "), HELP_COLUMNS).replaceAll(/^/gm, "  ")}\n`;
}

type Define = (context: CommandContext) => Command;

/** All commands by purpose, in the order in which a new user needs them. */
const GROUPS: readonly (readonly [heading: string, commands: readonly Define[]])[] = [
  [
    "Goals and plans:",
    [
      submitCommand,
      watchCommand,
      listCommand,
      showCommand,
      stepCommand,
      logsCommand,
      openCommand,
      diffCommand,
      rerunCommand,
      forkCommand,
      pauseCommand,
      resumeCommand,
      cancelCommand,
      deleteCommand,
      checkCommand,
      templateCommand,
    ],
  ],
  ["Approvals:", [approveCommand, rejectCommand, answerCommand]],
  ["Data and tools:", [dataCommand, toolsCommand, seedCommand]],
  [
    "System:",
    [
      startCommand,
      workerCommand,
      doctorCommand,
      workersCommand,
      metricsCommand,
      quotasCommand,
      deadLettersCommand,
    ],
  ],
  [
    "Administration:",
    [
      keysCommand,
      sessionsCommand,
      auditCommand,
      credentialsCommand,
      provisionCommand,
      backupCommand,
      restoreCommand,
    ],
  ],
  ["Shell:", [completionCommand]],
];

function commandsOf(context: CommandContext): Command[] {
  return GROUPS.flatMap(([heading, commands]) =>
    commands.map((define) => define(context).helpGroup(heading)),
  );
}

/** Returns the text below the help of a command; empty when it has no examples. @param name - `list`, or `keys create`. */
function examplesOf(name: string): string {
  const lines = (EXAMPLES[name] ?? []).map((line) => `\n  ${COMMAND} ${line}`);
  return lines.length === 0 ? "" : `\nExamples:${lines.join("")}`;
}
