import type { JsonObject } from "@planwright/client";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";

/**
 * Reads JSON from a file, or from standard input for `-`.
 *
 * @throws {CliError} `usage` when it cannot be read or is not JSON.
 */
export async function readDocument(file: string, context: CommandContext): Promise<unknown> {
  return parseDocument(await readText(file, context), nameOf(file));
}

/** Reads text from a file, or from standard input for `-`. @throws {CliError} `usage` when it cannot be read. */
export async function readText(file: string, { stdin }: CommandContext): Promise<string> {
  return (file === "-" ? text(stdin) : readFile(file, "utf8")).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(EXIT.usage, `cannot read ${nameOf(file)}: ${reason}`, { cause });
  });
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

/**
 * Reads a plan from a file, or from standard input for `-`. The gateway validates it.
 *
 * @throws {CliError} `usage`, also for a whole submission, whose other fields would be lost.
 */
export async function readPlanDocument(file: string, context: CommandContext): Promise<unknown> {
  const document = await readDocument(file, context);
  if (typeof document === "object" && document !== null && "plan" in document && !("steps" in document)) {
    const message = `${nameOf(file)} is a whole submission: pass only the value of its "plan", {"steps": [...]}`;
    throw new CliError(EXIT.usage, message);
  }
  return document;
}

/** @param name - Used in the error message. @throws {CliError} `usage` when the content is not JSON. */
function parseDocument(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(EXIT.usage, `${name} is not valid JSON: ${message}`, { cause });
  }
}

/** Reads the arguments of `--edits`. @throws {CliError} `usage` when they are not a JSON object. */
export async function readArguments(text: string, context: CommandContext): Promise<JsonObject> {
  const value = await readOption(text, "--edits", context);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new CliError(EXIT.usage, '--edits must be a JSON object such as {"pieces": 120}');
}

/**
 * Reads the JSON value of an option: inline, or from a file as `@file`.
 *
 * @param name - The option's name, used in the error message.
 * @throws {CliError} `usage` when it is not JSON.
 */
export async function readOption(text: string, name: string, context: CommandContext): Promise<unknown> {
  return text.startsWith("@") ? readDocument(text.slice(1), context) : parseDocument(text, name);
}
