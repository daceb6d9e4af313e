import type { GuestPart } from "../guest-part.ts";

/** What a program writes with, a line each time. @param write - Is given the line. */
export function consolePart(write: (line: string) => void): GuestPart {
  return {
    name: "console",
    functions: { write: (line = "") => write(line) },
    data: null,
    source: `({ stringify, freeze, defineProperty, Text, cut }, { write }) => {
      const text = (value) => {
        if (typeof value === "string") return value;
        try { return stringify(value) ?? Text(value); } catch { return "[cannot be shown]"; }
      };
      const say = (...values) => {
        let line = "";
        for (let i = 0; i < values.length; i += 1) line += (i === 0 ? "" : " ") + text(values[i]);
        write(cut(line, 65536));
      };
      const console = freeze({ __proto__: null, log: say, info: say, warn: say, error: say, debug: say });
      defineProperty(globalThis, "console", { value: console });
      return console;
    }`,
  };
}
