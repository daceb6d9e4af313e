/** A service's redaction: every rule for its log and spans; for users, the rules that do not exempt their role. */
import type { Role } from "@planwright/plan";
import { createHash } from "node:crypto";
import { findConfigFile } from "../service/config-file.ts";
import { parseExact } from "./exact-json.ts";
import { REDACTION_FAULT, type RoleRule, rulesOf } from "./redaction-file.ts";
import { createRedactor, type Redactor } from "./redactor.ts";
import { LOG_LINES } from "./surfaces.ts";

export type Redaction = {
  /** False without rules: then nothing is examined or changed. */
  readonly isActive: boolean;
  /** Identifies the rules in the file; empty without rules. Results of other rules have another id. */
  readonly id: string;
  readonly rules: readonly Pick<RoleRule, "name" | "shownTo">[];
  /** Applies every rule: for logs and traces. */
  readonly all: Redactor;
  /** Applies the rules that do not exempt the role; roles with the same view share a redactor. */
  readonly forRole: (role: Role) => Redactor;
  /** Redacts a line of the log: JSON, with its line break. */
  readonly logLine: (line: string) => string;
};

/** @param clock - Milliseconds of a monotonic clock. */
export function createRedaction(
  rules: readonly RoleRule[],
  { clock, id }: { readonly clock: () => number; readonly id: string },
): Redaction {
  const redactors = new Map<string, Redactor>();
  const redactorOf = (some: readonly RoleRule[]): Redactor => {
    const key = some.map(({ name }) => name).join(" ");
    const redactor = redactors.get(key) ?? createRedactor(some, { clock });
    redactors.set(key, redactor);
    return redactor;
  };
  const all = redactorOf(rules);
  return {
    isActive: all.isActive,
    id: all.isActive ? id : "",
    rules,
    all,
    forRole: (role) => redactorOf(rules.filter(({ shownTo }) => !shownTo.includes(role))),
    logLine: (line) => logLineBy(all, line),
  };
}

export const NO_REDACTION = createRedaction([], { clock: () => 0, id: "" });

/**
 * Finds and reads the rules: the file named in the settings, else `redaction.json` in the data folder or the working folder.
 *
 * @throws {PermanentError} `invalid_redaction`
 */
export async function openRedaction(settings: {
  readonly PLANWRIGHT_REDACTION?: string | undefined;
  readonly PLANWRIGHT_DATA?: string | undefined;
}): Promise<Redaction> {
  const { PLANWRIGHT_REDACTION: named, PLANWRIGHT_DATA: data } = settings;
  const folders = data === undefined ? [] : [data, "."];
  const found = await findConfigFile({ named, folders, fileName: "redaction.json", code: REDACTION_FAULT });
  if (found === undefined) return NO_REDACTION;
  // The engine is loaded only if needed: it costs each process some milliseconds and megabytes.
  const { compilePattern } = await import("./compile-pattern.ts");
  const id = createHash("sha256").update(found.text).digest("hex");
  return createRedaction(rulesOf(found, compilePattern), { clock: () => performance.now(), id });
}

function logLineBy(redactor: Redactor, line: string): string {
  if (!redactor.isActive) return line;
  const text = line.trimEnd();
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return redactor.text(text) + line.slice(text.length);
  }
  const redacted = redactor.json(value, LOG_LINES);
  return redacted === value ? line : JSON.stringify(redacted) + line.slice(text.length);
}
