import { createProgram, processContext } from "@planwright/cli";
import { tableOf } from "./markdown.ts";

type Command = ReturnType<typeof createProgram>;

/** Every command and option, from what `--help` is made of. */
export function cliPage(): string {
  const program = createProgram(processContext({}));
  const commands = program.commands.filter((command) => command.name() !== "help");
  return `# Command line

Made from what \`npx planwright --help\` is made of. How to use it: [the command line](../cli.md).

${program.description()}

${optionsOf(program)}

${commands.map((command) => sectionOf(command, program.name(), "##")).join("\n")}`;
}

function sectionOf(command: Command, parent: string, heading: string): string {
  const name = `${parent} ${command.name()}`;
  const usage = `${name} ${command.usage()}`.trim();
  const args = command.registeredArguments.map((argument) => [
    `\`${argument.name()}\`${argument.required ? "" : " (optional)"}`,
    argument.description,
  ]);
  const subcommands = command.commands.filter((sub) => sub.name() !== "help");
  const parts = [
    `${heading} ${name}`,
    sentenceOf(command.description()),
    `\`\`\`text\n${usage}\n\`\`\``,
    args.length === 0 ? "" : tableOf(["argument", ""], args),
    optionsOf(command),
    ...subcommands.map((sub) => sectionOf(sub, name, `${heading}#`).trimEnd()),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function optionsOf(command: Command): string {
  const rows = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, argChoices, defaultValue }) => [
      `\`${flags}\``,
      [
        description,
        ...(argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
        ...(hasDefault(defaultValue) ? [`default ${JSON.stringify(defaultValue)}`] : []),
      ].join("; "),
    ]);
  return rows.length === 0 ? "" : tableOf(["option", ""], rows);
}

function sentenceOf(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function hasDefault(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
