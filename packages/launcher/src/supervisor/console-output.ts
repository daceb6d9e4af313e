import { styleText } from "node:util";
import { type ReadableLine, readableLine } from "./log-line.ts";

/** The name before the supervisor's own lines. */
const LAUNCHER = "planwright";

const PREFIX_CHARS = 10;
const COLOURS = { planner: "cyan", executor: "green", reflector: "magenta", gateway: "yellow" } as const;
const OTHER_COLOUR = "gray";
const ALARMS = { warn: "yellow", error: "red" } as const;
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

type Severity = ReadableLine["severity"];

export type Output = {
  /** Prints a line that a service wrote: a JSON log line or any other text. */
  readonly line: (source: string, line: string) => void;
  /** Prints a line of the supervisor; `source` names the component that it is about, if any. */
  readonly say: (text: string, about?: { severity?: Severity; source?: string }) => void;
};

/**
 * Prints the lines of all services to one stream, each after the name of its source. Names are coloured if the stream
 * supports colours and `NO_COLOR` is not set. With `json`, every line is JSON.
 */
export function consoleOutput({ json, stream }: { json: boolean; stream: NodeJS.WriteStream }): Output {
  if (json) return jsonOutput(stream);
  const print = (source: string, { severity, text }: ReadableLine) => {
    const prefix = styleText(colourOf(source), source.padEnd(PREFIX_CHARS), { stream });
    const words =
      severity === "info" ? text : styleText(ALARMS[severity], `${severity}: ${text}`, { stream });
    stream.write(`${words.replace(/^/gm, `${prefix} `)}\n`);
  };
  return {
    line: (source, line) => print(source, readableLine(line)),
    say: (text, { severity = "info", source = LAUNCHER } = {}) => print(source, { severity, text }),
  };
}

function jsonOutput(stream: NodeJS.WriteStream): Output {
  const print = (level: number, name: string, msg: string) =>
    stream.write(`${JSON.stringify({ level, time: Date.now(), name, msg })}\n`);
  return {
    line: (source, line) =>
      line.startsWith("{") ? stream.write(`${line}\n`) : print(LEVELS.info, source, line),
    say: (text, { severity = "info", source = LAUNCHER } = {}) => print(LEVELS[severity], source, text),
  };
}

/** `executor-2` has the colour of `executor`. */
function colourOf(source: string) {
  const name = source.replace(/-\d+$/, "");
  return name in COLOURS ? COLOURS[name as keyof typeof COLOURS] : OTHER_COLOUR; // Narrowed by the preceding `in`.
}
