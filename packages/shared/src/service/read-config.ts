/**
 * Reads a service's settings from the environment, once, with every fault in one report.
 *
 * A variable with an empty value (`PORT=`) counts as not set, as in OpenTelemetry and compose files;
 * a report distinguishes the two. A malformed value never becomes a default.
 */
import { z } from "zod";
import type { SettingMeta } from "./config-values.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type ConfigFault = {
  readonly name: string;
  readonly wanted: string;
  /** The actual value, without secrets: `"abc"`, `nothing`, `an empty value`. */
  readonly came: string;
};

/** The environment lacks valid settings. The message lists every fault, one per line. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ name, wanted, came }) => `${name}: wanted ${wanted}, came ${came}`).join("\n"));
    this.faults = faults;
  }
}

/** One row of the configuration reference. */
export type Setting = {
  readonly name: string;
  readonly description: string;
  readonly wanted: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** As a user would write it; absent when there is none. */
  readonly default?: string;
};

const CAME_CHARS_MAX = 80;

/**
 * Parses the environment with a schema whose keys are variable names.
 *
 * @throws {ConfigError} With one fault for every variable that is missing or malformed.
 */
export function readConfig<Config extends z.ZodObject>(Config: Config, env: Environment): z.output<Config> {
  const given = Object.fromEntries(Object.keys(Config.shape).map((name) => [name, emptyAsUnset(env[name])]));
  const result = Config.safeParse(given);
  if (result.success) return result.data;
  const names = new Set(result.error.issues.map((issue) => String(issue.path[0] ?? "")));
  throw new ConfigError(
    [...names].map((name) => faultOf(name, shapeOf(Config)[name], env[name], result.error.issues)),
  );
}

/** Describes a schema's variables, in the schema's order. */
export function describeConfig(Config: z.ZodObject): Setting[] {
  return Object.entries(shapeOf(Config)).map(([name, schema]) => {
    const meta = metaOf(schema);
    const absent = z.safeParse(schema, undefined);
    const setting: Setting = {
      name,
      description: meta.description ?? "",
      wanted: meta.wanted ?? "a text",
      required: !absent.success,
      secret: meta.secret ?? false,
    };
    if (!absent.success || absent.data === undefined) return setting;
    return { ...setting, default: written(absent.data) };
  });
}

function emptyAsUnset(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function faultOf(
  name: string,
  schema: z.core.$ZodType | undefined,
  value: string | undefined,
  issues: readonly z.core.$ZodIssue[],
): ConfigFault {
  const meta = schema === undefined ? {} : metaOf(schema);
  const message = issues.find((issue) => String(issue.path[0] ?? "") === name)?.message;
  return { name, wanted: meta.wanted ?? message ?? "a text", came: came(value, meta.secret ?? false) };
}

function came(value: string | undefined, hidden: boolean): string {
  if (value === undefined) return "nothing (it is not set)";
  if (value === "") return "an empty value";
  if (hidden) return "a value that is not shown";
  // A URL may contain a password even where none is expected.
  const shown = value.replace(/\/\/[^/\s]*@/g, "//***@");
  return JSON.stringify(shown.length > CAME_CHARS_MAX ? `${shown.slice(0, CAME_CHARS_MAX)}...` : shown);
}

function shapeOf(Config: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  return Config.shape;
}

/** Returns the metadata of a setting: the outermost wrapper's first, then that of the wrapped schema. */
function metaOf(schema: z.core.$ZodType): SettingMeta {
  const own: SettingMeta = z.globalRegistry.get(schema) ?? {};
  const inner = innerOf(schema);
  return inner === undefined ? own : { ...metaOf(inner), ...own };
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault) {
    return schema._zod.def.innerType;
  }
  return undefined;
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
