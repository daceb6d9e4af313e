/**
 * The kinds of value an environment variable can hold.
 *
 * Each piece is a zod schema from the variable's text to the value, with a phrase in `wanted` that
 * finishes the sentence "wanted ..." in a fault report and in the generated reference. Add
 * `.default(...)` or `.optional()`, and last `.meta({ description })`.
 */
import { z } from "zod";

/** This project's entries in zod's metadata of a setting. */
export type SettingMeta = {
  /** What the setting does, for the reference page. */
  readonly description?: string | undefined;
  /** Completes "wanted ...": the form of a valid value. */
  readonly wanted?: string | undefined;
  /** Its value is never printed, logged or documented. */
  readonly secret?: boolean | undefined;
};

/** Any text that is not only white space. */
export function text({ wanted = "a text" }: { readonly wanted?: string } = {}) {
  return piece(
    wanted,
    z
      .string()
      .trim()
      .min(1)
      .transform((value) => value),
  );
}

/** A text whose value never appears in reports: keys, passwords. */
export function secret({ wanted = "a secret" }: { readonly wanted?: string } = {}) {
  return z
    .string()
    .trim()
    .min(1)
    .transform((value) => value)
    .meta({ wanted, secret: true });
}

/** A whole number within bounds, both included. */
export function integer({
  min,
  max,
  unit,
}: {
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
}) {
  const wanted = `a whole number${unit === undefined ? "" : ` of ${unit}`} from ${min} to ${max}`;
  return piece(
    wanted,
    z
      .string()
      .trim()
      .regex(/^-?\d{1,15}$/)
      .transform(Number)
      .refine((value) => value >= min && value <= max),
  );
}

/** A TCP port. 0 lets the system choose one. */
export function port() {
  return piece(
    "a port number from 0 to 65535",
    z
      .string()
      .trim()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((value) => value <= 65_535),
  );
}

/** A number within bounds, both included, such as 0.7. */
export function decimal({ min, max }: { readonly min: number; readonly max: number }) {
  return piece(
    `a number from ${min} to ${max}`,
    z
      .string()
      .trim()
      .regex(/^-?\d{1,15}(\.\d{1,15})?$/)
      .transform(Number)
      .refine((value) => value >= min && value <= max),
  );
}

/** A share of something, from 0 to 1. */
export function ratio() {
  return piece(
    "a number from 0 to 1",
    z
      .string()
      .trim()
      .regex(/^(0|1|0?\.\d+|0\.\d+|1\.0+)$/)
      .transform(Number),
  );
}

/** `true`, `1`, `false` or `0`. */
export function boolean() {
  return piece(
    "true, false, 1 or 0",
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(["true", "1", "false", "0"]))
      .transform((value) => value === "true" || value === "1"),
  );
}

/** One of several words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return piece(`one of ${words.join(", ")}`, z.string().trim().pipe(z.enum(words)));
}

/** An absolute URL of one of these schemes, such as `["http", "https"]`; without a trailing slash. */
export function url({ schemes }: { readonly schemes: readonly string[] }) {
  return piece(
    `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    z
      .string()
      .trim()
      .refine((value) => schemes.some((scheme) => isUrlOf(scheme, value)))
      .transform((value) => value.replace(/\/+$/, "")),
  );
}

/** One or more absolute URLs of these schemes, separated by commas, as one text; each without a trailing slash. */
export function urls({ schemes }: { readonly schemes: readonly string[] }) {
  const one = schemes.map((scheme) => `${scheme}://`).join(" or ");
  return piece(
    `URLs separated by commas, each starting with ${one}`,
    z
      .string()
      .transform((value) => value.split(",").map((part) => part.trim().replace(/\/+$/, "")))
      .refine((parts) => parts.every((part) => schemes.some((scheme) => isUrlOf(scheme, part))))
      .transform((parts) => parts.join(",")),
  );
}

/** Words separated by commas, such as `default,browser`; none may be empty, repetitions collapse. */
export function list({
  item = /^[^\s,]+$/,
  wanted,
}: {
  readonly item?: RegExp;
  readonly wanted?: string;
} = {}) {
  return piece(
    wanted ?? "a list separated by commas",
    z
      .string()
      .transform((value) => [...new Set(value.split(",").map((word) => word.trim()))])
      .refine((words) => words.every((word) => item.test(word))),
  );
}

/** Headers as `name=value`, separated by commas, values percent-encoded where they must be; a secret. */
export function headers() {
  return z
    .string()
    .transform((value, context) => {
      try {
        const pairs = value.split(",").map((pair) => {
          const [name = "", text = ""] = pair.split(/=(.*)/s);
          return [name.trim().toLowerCase(), decodeURIComponent(text.trim())] as const;
        });
        if (pairs.every(([name, text]) => /^[\w-]+$/.test(name) && text !== ""))
          return Object.fromEntries(pairs);
      } catch {
        // A broken percent sequence is reported like a broken pair.
      }
      context.issues.push({ code: "custom", message: "malformed", input: value });
      return z.NEVER;
    })
    .meta({ wanted: "headers as name=value, separated by commas", secret: true });
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,12})(ms|s|m|h|d)$/;
const DURATION_OR_NEVER = /^(?:0|\d{1,12}(?:ms|s|m|h|d))$/;

/**
 * A duration with its unit (`500ms`, `30s`, `5m`, `2h`, `1d`), as milliseconds.
 *
 * @param options.orNever - Lets `0` mean "never", even below the minimum.
 */
export function duration({
  minMs = 0,
  maxMs = 365 * UNIT_MS.d,
  orNever = false,
}: {
  readonly minMs?: number;
  readonly maxMs?: number;
  readonly orNever?: boolean;
} = {}) {
  return piece(
    `a duration such as 500ms, 30s, 5m, 2h or 1d, from ${minMs} ms to ${maxMs} ms${orNever ? ", or 0 for never" : ""}`,
    z
      .string()
      .trim()
      .regex(orNever ? DURATION_OR_NEVER : DURATION)
      .transform(durationMs)
      .refine((value) => (orNever && value === 0) || (value >= minMs && value <= maxMs)),
  );
}

/** JSON text with a given schema. */
export function json<Schema extends z.ZodType>(schema: Schema, { wanted }: { readonly wanted: string }) {
  return piece(
    wanted,
    z
      .string()
      .transform((value, context) => {
        try {
          const parsed: unknown = JSON.parse(value);
          return parsed;
        } catch {
          context.issues.push({ code: "custom", message: "not JSON", input: value });
          return z.NEVER;
        }
      })
      .pipe(schema),
  );
}

function piece<Schema extends z.ZodType>(wanted: string, schema: Schema): Schema {
  return schema.meta({ wanted });
}

function isUrlOf(scheme: string, value: string): boolean {
  const parsed = URL.parse(value);
  return parsed !== null && parsed.protocol === `${scheme}:` && parsed.hostname !== "";
}

function durationMs(value: string): number {
  const [, count = "0", unit = "ms"] = DURATION.exec(value) ?? [];
  // The pattern admits only these units.
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
