import type { JsonObject } from "@planwright/client";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";

/**
 * JSON from a file, or from standard input for `-`.
 *
 * @throws {CliError} `usage` when there is none, or it is no JSON.
 */
export async function readDocument(file: string, context: CommandContext): Promise<unknown> {
  return parseDocument(await readText(file, context), nameOf(file));
}

/** Text from a file, or from standard input for `-`. @throws {CliError} `usage` when it cannot be read. */
export async function readText(file: string, { stdin }: CommandContext): Promise<string> {
  return (file === "-" ? text(stdin) : readFile(file, "utf8")).catch((cause: unknown) => {
    throw new CliError(EXIT.usage, `${nameOf(file)} cannot be read`, { cause });
  });
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

/**
 * A plan from a file, or from standard input for `-`. What is wrong with it is the gateway's to say.
 *
 * @throws {CliError} `usage` also when it is a whole submission, whose other fields would be lost.
 */
export async function readPlanDocument(file: string, context: CommandContext): Promise<unknown> {
  const document = await readDocument(file, context);
  if (typeof document === "object" && document !== null && "plan" in document && !("steps" in document)) {
    const message = `${file} is the body of a submission: wanted what it has under "plan", {"steps": [...]}`;
    throw new CliError(EXIT.usage, message);
  }
  return document;
}

/** @param name - What it is called in the message. @throws {CliError} `usage` when it is no JSON. */
function parseDocument(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(EXIT.usage, `${name}: wanted JSON: ${message}`, { cause });
  }
}

/** The arguments of `--edits`. @throws {CliError} `usage` when they are not a JSON object. */
export async function readArguments(text: string, context: CommandContext): Promise<JsonObject> {
  const value = await readOption(text, "--edits", context);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new CliError(EXIT.usage, '--edits: wanted a JSON object such as {"pieces": 120}');
}

/**
 * JSON of an option: as it stands there, or from the file that `@` names.
 *
 * @param name - What the option is called in the message.
 * @throws {CliError} `usage` when it is no JSON.
 */
export async function readOption(text: string, name: string, context: CommandContext): Promise<unknown> {
  return text.startsWith("@") ? readDocument(text.slice(1), context) : parseDocument(text, name);
}
