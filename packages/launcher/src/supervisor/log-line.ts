import { oneLine, onlyStyled } from "@planwright/shared/terminal";
import { z } from "zod";

/** A line that pino writes: a level, a message, and fields that the service adds. */
const LogLine = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().default("") });
const LoggedError = z.object({ message: z.string(), stack: z.string().optional() });

const WARN = 40;
const ERROR = 50;
/** Fields of every log line, which the prefix already covers. */
const COMMON_KEYS = new Set(["level", "time", "msg", "pid", "hostname", "name", "err"]);

export type ReadableLine = { readonly severity: "info" | "warn" | "error"; readonly text: string };

/**
 * Renders a service's log line as text: the message, then its fields as `key=value`, then the stack of an error. Any other
 * line is kept. Control characters are stripped from both, because untrusted text, such as a tool's error, may be in them.
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
