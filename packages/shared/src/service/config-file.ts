/** Finds, reads and validates a JSON file written by an operator, and reports every fault with its position. */
import { describeZodIssue } from "@planwright/plan";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { PermanentError } from "../errors.ts";

const BYTES_MAX = 512 * 1024;
const FAULTS_MAX = 10;

export type ConfigFileText = { readonly file: string; readonly text: string };

/**
 * Finds and reads the file: the named one, else the one with that name in the first folder that has it.
 *
 * @param code - The code of the errors for a file that cannot be used.
 * @returns Undefined when none is named and none exists.
 * @throws {PermanentError} `code`
 */
export async function findConfigFile({
  named,
  folders,
  fileName,
  code,
}: {
  readonly named: string | undefined;
  readonly folders: readonly string[];
  readonly fileName: string;
  readonly code: string;
}): Promise<ConfigFileText | undefined> {
  if (named !== undefined) {
    const text = await readText(named, code);
    if (text === undefined) throw invalidConfigFile(named, { code, faults: ["file not found"] });
    return { file: named, text };
  }
  for (const folder of folders) {
    const file = path.join(folder, fileName);
    const text = await readText(file, code);
    if (text !== undefined) return { file, text };
  }
  return undefined;
}

/** @throws {PermanentError} `code`, with every fault: its path in the file, and the expected and actual value. */
export function parseConfigFile<Schema extends z.ZodType>(
  schema: Schema,
  {
    file,
    text,
    code,
    keys = "",
  }: ConfigFileText & {
    readonly code: string;
    /** The expected form of its keys, for the message about an invalid one. */
    readonly keys?: string;
  },
): z.output<Schema> {
  const bytes = Buffer.byteLength(text);
  if (bytes > BYTES_MAX) {
    throw invalidConfigFile(file, { code, faults: [`wanted at most ${BYTES_MAX} bytes, got ${bytes}`] });
  }
  const input = decode(file, text, code);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => faultOf(issue, input, keys));
  throw invalidConfigFile(file, { code, faults });
}

/** Creates the error for an invalid file: up to ten faults, and the number of further ones. */
export function invalidConfigFile(
  file: string,
  { code, faults }: { readonly code: string; readonly faults: readonly string[] },
): PermanentError {
  const more = faults.length > FAULTS_MAX ? [`${faults.length - FAULTS_MAX} more`] : [];
  return new PermanentError(`${file}: ${[...faults.slice(0, FAULTS_MAX), ...more].join("; ")}`, { code });
}

async function readText(file: string, code: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new PermanentError(`${file} cannot be read`, { code, cause });
  }
}

function decode(file: string, text: string, code: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw invalidConfigFile(file, { code, faults: [`wanted JSON: ${message}`] });
  }
}

function faultOf(issue: z.core.$ZodIssue, input: unknown, keys: string): string {
  const where = pathOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `${where}: unknown field: ${names}`;
  }
  if (issue.code === "invalid_key") return `${where}: wanted ${keys}`;
  return `${where}: ${describeZodIssue(issue, valueAt(input, issue.path))}`;
}

function pathOf(parts: readonly PropertyKey[]): string {
  const text = parts.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return text === "" ? "the file" : text.replace(/^\./, "");
}

function valueAt(input: unknown, parts: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of parts) {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, part);
    value = isThere ? Reflect.get(Object(value), part) : undefined;
  }
  return value;
}
