import { oneLine, onlyStyled } from "@planwright/shared/terminal";
import { z } from "zod";

/** What pino writes: a level and a phrase, and beside them whatever the service adds. */
const LogLine = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().default("") });
const LoggedError = z.object({ message: z.string(), stack: z.string().optional() });

const WARN = 40;
const ERROR = 50;
/** Bindings that every line of a service has; they say nothing new beside the prefix. */
const COMMON_KEYS = new Set(["level", "time", "msg", "pid", "hostname", "name", "err"]);

export type ReadableLine = { readonly severity: "info" | "warn" | "error"; readonly text: string };

/**
 * A line of a service as people read it: the phrase, then `key=value` for what belongs to it, then the
 * stack of an error. A line that is no JSON log line stays as it is, but for what could steer a terminal: strangers'
 * words stand in it, such as what a tool failed with.
 */
export function readableLine(line: string): ReadableLine {
  const parsed = LogLine.safeParse(parseJson(line));
  if (!parsed.success) return { severity: "info", text: onlyStyled(line) };
  const { level, msg, err } = parsed.data;
  const rest = Object.entries(parsed.data).filter(([key]) => !COMMON_KEYS.has(key));
  const pairs = rest.map(([key, value]) =>
    oneLine(`${key}=${typeof value === "string" ? value : JSON.stringify(value)}`),
  );
  const error = LoggedError.safeParse(err);
  const detail = error.success
    ? [level >= ERROR ? (error.data.stack ?? error.data.message) : error.data.message]
    : [];
  const severity = level >= ERROR ? "error" : level >= WARN ? "warn" : "info";
  return { severity, text: [oneLine(msg), ...pairs, ...detail.map(onlyStyled)].join(" ") };
}

function parseJson(line: string): unknown {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
