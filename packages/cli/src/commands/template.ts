import type { JsonObject } from "@planwright/client";
import { jsonText, oneLine } from "@planwright/shared/terminal";
import { Command } from "commander";
import { z } from "zod";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { repeatable } from "../option-values.ts";
import type { Output } from "../output/create-output.ts";
import type { Column } from "../output/table.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";
import { assignmentOf, withPlaceholders } from "../templates/parameters.ts";
import {
  deleteTemplate,
  listTemplates,
  readTemplate,
  saveTemplate,
  type Template,
} from "../templates/template-store.ts";

const Options = z.object({ parameter: z.array(z.string()), force: z.boolean().default(false) });

/** `planwright template`: lists, shows, saves and deletes this user's templates. */
export function templateCommand(context: CommandContext): Command {
  return new Command("template")
    .description("List, show, save and delete templates: submissions to submit again with other values")
    .addCommand(listCommand(context), { isDefault: true })
    .addCommand(showCommand(context))
    .addCommand(saveCommand(context))
    .addCommand(deleteCommand(context));
}

function columnsOf({ time }: Output): readonly Column<Template>[] {
  return [
    { title: "TEMPLATE", of: ({ name }) => name },
    { title: "PARAMETERS", of: ({ parameters }) => Object.keys(parameters).join(", ") || "-" },
    { title: "SAVED", of: ({ savedAt }) => time(savedAt), style: () => "dim" },
    { title: "GOAL", of: goalOf },
  ];
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .description("List templates")
    .action(async (_options: unknown, command: Command) => {
      const output = outputOf(command, context);
      const templates = await listTemplates(context.env);
      const rows = templates.map(({ submission: _submission, ...about }, index) => ({
        ...about,
        goal: goalOf(templates[index]),
      }));
      output.result(rows, () => output.table(columnsOf(output), templates));
      if (rows.length === 0) output.note(`\nNo templates. Save one: ${COMMAND} template save ID NAME`);
    });
}

function showCommand(context: CommandContext): Command {
  return new Command("show")
    .description("Show a template with its parameters and submission")
    .argument("<template>", "Name of the template")
    .action(async (name: string, _options: unknown, command: Command) => {
      const output = outputOf(command, context);
      const template = await readTemplate(context.env, name);
      output.result({ ...template, goal: goalOf(template) }, () => {
        output.line(oneLine(goalOf(template)));
        for (const [parameter, value] of Object.entries(template.parameters))
          output.line(oneLine(`--set ${parameter}=${value}`));
        output.line(`\n${jsonText(template.submission, 2)}`);
      });
      output.note(`\nSubmit it with: ${submitLine(template)}`);
    });
}

function saveCommand(context: CommandContext): Command {
  return new Command("save")
    .description("Save the submission of a plan as a template on this machine")
    .argument("<plan>", PLAN_ARGUMENT)
    .argument("<name>", "Name of the new template")
    .addOption(
      repeatable("--parameter <name=text>", "Turn this text into a parameter, such as quarter=Q4", "none"),
    )
    .option("--force", "Replace a template with this name")
    .action(async (plan: string, name: string, given: unknown, command: Command) => {
      const { parameter, force } = Options.parse(given);
      const parameters = parameter.map(assignmentOf);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const planId = await findPlanId(client, plan);
      const submission = withPlaceholders((await client.plans.submission(planId)) as JsonObject, parameters);
      const savedAt = new Date().toISOString();
      const template = {
        name,
        parameters: Object.fromEntries(parameters),
        savedAt,
        savedFrom: planId,
        submission,
      };
      const file = await saveTemplate(context.env, template, { force });
      output.result({ ...template, goal: goalOf(template) }, () => output.line(`saved ${file}`));
      output.note(`\nSubmit it with: ${submitLine(template)}`);
    });
}

function deleteCommand(context: CommandContext): Command {
  return new Command("delete")
    .description("Delete a template")
    .argument("<template>", "Name of the template")
    .action(async (name: string, _options: unknown, command: Command) => {
      const output = outputOf(command, context);
      await deleteTemplate(context.env, name);
      output.result({ deleted: name }, () => output.line(`deleted ${name}`));
    });
}

function goalOf(template: Pick<Template, "submission"> | undefined): string {
  const goal = template?.submission["goal"];
  return typeof goal === "string" ? goal : "";
}

function submitLine({ name, parameters }: Pick<Template, "name" | "parameters">): string {
  const values = Object.keys(parameters).map((parameter) => ` --set ${parameter}=VALUE`);
  return `${COMMAND} submit --template ${name}${values.join("")}`;
}
