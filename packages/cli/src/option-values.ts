/** Repeatable options, and parsers of option values. */
import { InvalidArgumentError, Option } from "commander";

/**
 * Defines a repeatable option, with one value each time. A variadic option would swallow the goal.
 *
 * @param all - The default to show in the help.
 */
export function repeatable(flags: string, description: string, all: string): Option {
  return new Option(flags, `${description} (repeatable)`)
    .default([], all)
    .argParser((value: string, earlier: readonly string[]) => [...earlier, value]);
}

export function isRepeatable(option: Option): boolean {
  return Array.isArray(option.defaultValue);
}

/** Parses a number; the gateway checks its range. @throws {InvalidArgumentError} */
export function amount(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError("It must be a number.");
}

/** Parses the number of an event in a plan's log. @throws {InvalidArgumentError} */
export function sequenceNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0.");
}

/** Parses `3..12`, `3..`, `..12`, or `5` for exactly 5; the gateway checks the bounds. @throws {InvalidArgumentError} */
export function sizeRange(text: string): { min?: number; max?: number } {
  const [, exact, min, max] = /^(?:(\d+)|(\d*)\.\.(\d*))$/.exec(text) ?? [];
  if (exact !== undefined) return { min: Number(exact), max: Number(exact) };
  if (!min && !max) throw new InvalidArgumentError("It must be a range of steps such as 3..12, 3.. or ..12.");
  return { ...(min ? { min: Number(min) } : {}), ...(max ? { max: Number(max) } : {}) };
}

/** Reads `default,shop`. @throws {InvalidArgumentError} When a name is empty. */
export function listOf(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => /^[a-z][a-z0-9-]{0,31}$/.test(name))) return [...new Set(names)];
  throw new InvalidArgumentError("Wanted pools separated by commas, such as default,shop.");
}
