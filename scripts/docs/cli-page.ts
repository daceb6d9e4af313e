import { createProgram, jsonFieldsOf, processContext } from "@planwright/cli";
import { tableOf } from "./markdown.ts";

type Command = ReturnType<typeof createProgram>;

/** Generates the page of all commands and options, from the same definitions as `--help`. */
export function cliPage(): string {
  const program = createProgram(processContext({}));
  const commands = documentedCommands(program);
  return `# Command line

Generated from the same definitions as \`npx planwright --help\`. For an introduction, see [the command line](../cli.md).

${program.description()}

${optionsOf(program)}

${groupsOf(commands)
  .map(([group, members]) => {
    const sections = members.map((command) => sectionOf(command, program.name(), "###"));
    return `## ${group}\n\n${sections.join("\n")}`;
  })
  .join("\n")}`;
}

/** The commands by purpose, as in `--help`. */
function groupsOf(commands: readonly Command[]): [group: string, commands: readonly Command[]][] {
  return [...Map.groupBy(commands, (command) => command.helpGroup().replace(":", ""))];
}

function sectionOf(command: Command, parent: string, heading: string): string {
  const name = `${parent} ${command.name()}`;
  const usage = `${name} ${command.usage()}`.trim();
  const args = command.registeredArguments.map((argument) => [
    `\`${argument.name()}\`${argument.required ? "" : " (optional)"}`,
    argument.description,
  ]);
  const subcommands = documentedCommands(command);
  const parts = [
    `${heading} ${name}`,
    `${command.description()}.`,
    `\`\`\`text\n${usage}\n\`\`\``,
    args.length === 0 ? "" : tableOf(["argument", ""], args),
    optionsOf(command),
    fieldsOf(`${parent} ${command.name()}`.split(" ").slice(1).join(" ")),
    ...subcommands.map((sub) => sectionOf(sub, name, `${heading}#`).trimEnd()),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function fieldsOf(command: string): string {
  const fields = jsonFieldsOf(command);
  return fields.length === 0 ? "" : `JSON fields: ${fields.map((field) => `\`${field}\``).join(", ")}.`;
}

function optionsOf(command: Command): string {
  const rows = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, argChoices, defaultValue, defaultValueDescription }) => [
      `\`${flags}\``,
      [
        description,
        ...(argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
        ...(hasDefault(defaultValue)
          ? [`default \`${defaultValueDescription ?? String(defaultValue)}\``]
          : []),
      ].join("; "),
    ]);
  return rows.length === 0 ? "" : tableOf(["option", ""], rows);
}

/** Without hidden commands, and without the `help` that commander adds. */
function documentedCommands(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.filter((one) => one.name() !== "help");
}

function hasDefault(value: unknown): boolean {
  return value !== undefined && value !== false;
}
