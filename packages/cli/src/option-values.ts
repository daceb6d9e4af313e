/** What the values of options are, beyond words. */
import { InvalidArgumentError, Option } from "commander";

/**
 * An option that is given once for each value. One that took all the words after it would take the goal too.
 *
 * @param all - What holds without it.
 */
export function repeatable(flags: string, description: string, all: string): Option {
  return new Option(flags, `${description}; once for each`)
    .default([], all)
    .argParser((value: string, earlier: readonly string[]) => [...earlier, value]);
}

export function isRepeatable(option: Option): boolean {
  return Array.isArray(option.defaultValue);
}

/** @throws {InvalidArgumentError} When it is no number. How large it may be is the gateway's to say. */
export function amount(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError("Wanted a number.");
}

/** Reads `3..12`, `3..`, `..12`, or `5` for exactly 5. The gateway checks the bounds. @throws {InvalidArgumentError} */
export function sizeRange(text: string): { min?: number; max?: number } {
  const [, exact, min, max] = /^(?:(\d+)|(\d*)\.\.(\d*))$/.exec(text) ?? [];
  if (exact !== undefined) return { min: Number(exact), max: Number(exact) };
  if (!min && !max) throw new InvalidArgumentError("Wanted a range of steps such as 3..12, 3.. or ..12.");
  return { ...(min ? { min: Number(min) } : {}), ...(max ? { max: Number(max) } : {}) };
}

/** Reads `default,shop`. @throws {InvalidArgumentError} When a name is empty. */
export function listOf(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => /^[a-z][a-z0-9-]{0,31}$/.test(name))) return [...new Set(names)];
  throw new InvalidArgumentError("Wanted pools separated by commas, such as default,shop.");
}
