/** The operator's rules: which values are hidden in logs, in traces and from which roles. */
import { type Role, ROLES } from "@planwright/plan";
import { z } from "zod";
import { invalidConfigFile, parseConfigFile } from "../service/config-file.ts";
import { BUILT_IN_FINDERS, BUILT_IN_NAMES } from "./built-in-finders.ts";
import type { Finder } from "./finder.ts";
import { createKeyRule } from "./key-rules.ts";
import type { Rule } from "./redactor.ts";

export const REDACTION_FAULT = "invalid_redaction";
const RULES_MAX = 50;
const PATTERN_CHARS_MAX = 1_000;
const PATHS_MAX = 100;
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const PATH = /^(?:\*|[\p{L}\p{N}_-]{1,100})(?:\.(?:\*|[\p{L}\p{N}_-]{1,100})){0,9}$/u;
/** Becomes part of JSON texts: without quotation marks, backslashes and line breaks, it needs no escaping in any of them. */
const REPLACEMENT = /^[^"'\\\p{Cc}]{3,80}$/u;

const Entry = z.strictObject({
  builtIn: z.enum(BUILT_IN_NAMES).optional(),
  name: z
    .string()
    .regex(NAME, "wanted a name of lower-case letters, digits and hyphens, such as employee-number")
    .optional(),
  pattern: z.string().min(1).max(PATTERN_CHARS_MAX).optional(),
  ignoreCase: z.boolean().optional(),
  keys: z
    .array(
      z.string().regex(PATH, "wanted keys separated by dots, such as password or customer.*.card_number"),
    )
    .min(1)
    .max(PATHS_MAX)
    .optional(),
  replacement: z
    .string()
    .regex(REPLACEMENT, "wanted 3 to 80 characters without quotation marks, backslashes and line breaks")
    .optional(),
  shownTo: z.array(z.enum(ROLES)).default([]),
});
type Entry = z.output<typeof Entry>;

/** Strict, because users write it. */
export const RedactionFile = z.strictObject({
  $schema: z.string().optional(),
  rules: z.array(Entry).max(RULES_MAX),
});

export type RoleRule = Rule & {
  /** The roles that see the plain text. */
  readonly shownTo: readonly Role[];
};

/** Compiles a pattern to a finder. @throws {Error} With the fault in its message. */
export type CompilePattern = (pattern: string, options: { readonly ignoreCase: boolean }) => Finder;

/**
 * Reads the rules of a file.
 *
 * @throws {PermanentError} `invalid_redaction`, with the file, the rule, and the expected and actual value.
 */
export function rulesOf(
  file: { readonly file: string; readonly text: string },
  compile: CompilePattern,
): readonly RoleRule[] {
  const { rules: entries } = parseConfigFile(RedactionFile, { ...file, code: REDACTION_FAULT });
  const faults: string[] = [];
  const rules: RoleRule[] = [];
  const names = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const name = entry.name ?? entry.builtIn ?? "";
    const at = name === "" ? `rules[${index}]` : `rules[${index}] (${name})`;
    const fault =
      faultOf(entry) ?? (names.has(name) ? "wanted a name that no other rule has: set name" : undefined);
    names.add(name);
    const rule = fault === undefined ? ruleOf(entry, name, compile) : { fault };
    if ("fault" in rule) faults.push(`${at}: ${rule.fault}`);
    else rules.push(rule);
  }
  faults.push(...replacementFaults(rules));
  if (faults.length > 0) throw invalidConfigFile(file.file, { code: REDACTION_FAULT, faults });
  return rules;
}

function faultOf({ builtIn, pattern, keys, name, ignoreCase }: Entry): string | undefined {
  const kinds = [builtIn, pattern, keys].filter((kind) => kind !== undefined).length;
  if (kinds !== 1) return `wanted one of builtIn, pattern and keys, got ${kinds === 0 ? "none" : kinds}`;
  if (builtIn === undefined && name === undefined) return "wanted a name, got none: set name";
  if (ignoreCase !== undefined && pattern === undefined) return "ignoreCase: wanted only with pattern";
  return undefined;
}

function ruleOf(entry: Entry, name: string, compile: CompilePattern): RoleRule | { readonly fault: string } {
  const { builtIn, pattern, keys, ignoreCase = false, shownTo } = entry;
  const rule = { name, replacement: entry.replacement ?? `[redacted: ${name}]`, shownTo };
  if (builtIn !== undefined) return { ...rule, find: BUILT_IN_FINDERS[builtIn] };
  if (keys !== undefined) return { ...rule, keys: createKeyRule(keys) };
  if (pattern === undefined) return { fault: "wanted a pattern, got none" };
  try {
    return { ...rule, find: compile(pattern, { ignoreCase }) };
  } catch (error) {
    return { fault: `pattern: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A rule that matches a replacement would hide it again and again. */
function replacementFaults(rules: readonly RoleRule[]): string[] {
  return rules.flatMap(({ name, find, keys }) =>
    rules
      .filter(({ replacement }) => [...(keys?.find(replacement) ?? find?.(replacement) ?? [])].length > 0)
      .map(
        (other) =>
          `${name}: matches the replacement ${JSON.stringify(other.replacement)} of ${other.name}: ` +
          "make it stricter, or set another replacement there",
      ),
  );
}
