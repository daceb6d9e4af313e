import type { KeyInfo, KeyList } from "@planwright/client";
import { ROLES, Role } from "@planwright/plan";
import { Command, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Output } from "../output/create-output.ts";
import type { Column } from "../output/table.ts";

const DAY_MS = 86_400_000;
const EXPIRY = "It must be days such as 90d, or a date such as 2027-01-31.";

const Options = z.object({ role: Role, expires: z.date().optional() });

function columnsOf({ kind, time }: Output): readonly Column<KeyInfo>[] {
  const day = (at: string): string => (kind === "terminal" ? at.slice(0, 10) : at);
  return [
    { title: "ID", of: ({ id }) => id },
    { title: "OWNER", of: ({ identity }) => identity },
    { title: "ROLE", of: ({ role }) => role },
    { title: "CREATED", of: ({ createdAt }) => day(createdAt) },
    { title: "LAST USED", of: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : time(lastUsedAt)) },
    {
      title: "EXPIRES",
      of: ({ expiresAt }) => (expiresAt === undefined ? "never" : time(expiresAt)),
      style: ({ expiresAt }) => (isPast(expiresAt) ? "red" : "reset"),
    },
  ];
}

const CONFIGURED: readonly Column<KeyList["configured"][number]>[] = [
  { title: "CONFIGURED OWNER", of: ({ identity }) => identity },
  { title: "ROLE", of: ({ role }) => role },
];

/** `planwright sessions`: ends the dashboard sessions of a user. */
export function sessionsCommand(context: CommandContext): Command {
  const end = new Command("end")
    .description("End all dashboard sessions of a user, and close their streams and WebSockets")
    .argument("<user>", "The user's identity without the tenant, such as ann@example.com")
    .action(async (user: string, _options: unknown, command: Command) => {
      await clientOf(command, context).session.endAllOf(user);
      const output = outputOf(command, context);
      output.result({ ended: user }, () => output.line(`ended all sessions of ${user}`));
    });
  return new Command("sessions")
    .description("End the dashboard sessions of a user of your tenant (requires an admin)")
    .addCommand(end);
}

/** `planwright keys`: lists, creates and revokes the tenant's API keys. */
export function keysCommand(context: CommandContext): Command {
  return new Command("keys")
    .description("List, create and revoke your tenant's API keys (requires an admin key)")
    .addCommand(listCommand(context), { isDefault: true })
    .addCommand(createCommand(context))
    .addCommand(revokeCommand(context));
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .description("List API keys with their roles and last use")
    .action(async (_options: unknown, command: Command) => {
      const list = await clientOf(command, context).keys.list();
      const output = outputOf(command, context);
      output.result(
        list,
        () => {
          output.table(columnsOf(output), list.keys);
          output.line("");
          output.table(CONFIGURED, list.configured);
        },
        list.keys,
      );
    });
}

function createCommand(context: CommandContext): Command {
  return new Command("create")
    .description("Create an API key and print it (shown only once)")
    .argument("<name>", "Owner of the key, such as ann or ci; recorded with decisions")
    .addOption(new Option("--role <role>", "Role of the key").choices([...ROLES]).makeOptionMandatory())
    .option(
      "--expires <when>",
      "Expiry in days or as a date, such as 90d or 2027-01-31 (default: never)",
      expiryOf,
    )
    .action(async (name: string, given: unknown, command: Command) => {
      const { role, expires } = Options.parse(given);
      const expiry = expires === undefined ? {} : { expiresAt: expires.toISOString() };
      const created = await clientOf(command, context).keys.create({ name, role, ...expiry });
      const output = outputOf(command, context);
      output.result(created, () => output.line(created.key));
      output.note(
        `\n${created.identity} has the role ${created.role}. Store the key now: it is not shown again.`,
      );
    });
}

function revokeCommand(context: CommandContext): Command {
  return new Command("revoke")
    .description("Revoke an API key and close its streams and WebSockets")
    .argument("<id>", "Key ID, as listed")
    .action(async (id: string, _options: unknown, command: Command) => {
      await clientOf(command, context).keys.revoke(id);
      const output = outputOf(command, context);
      output.result({ revoked: id }, () => output.line(`revoked ${id}`));
    });
}

/** Parses days such as `90d`, or a date. @throws {InvalidArgumentError} */
export function expiryOf(text: string): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const date = days === undefined ? new Date(text) : new Date(Date.now() + Number(days) * DAY_MS);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError(EXPIRY);
  return date;
}

function isPast(expiresAt: string | undefined): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}
