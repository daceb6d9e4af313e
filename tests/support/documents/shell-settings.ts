/** The settings that shell blocks of the documents give to the services. */
import { execFileSync } from "node:child_process";

/** Assignments at the start of a line, up to the command, a comment or the line's end. */
const ASSIGNMENTS = /^(?:[A-Z][A-Z0-9_]*=(?:'[^']*'|"(?:[^"\\]|\\.)*"|\$\([^)]*\)|[^\s'"$])*(?:\s+|$))+/;

/** The logical lines of a block, without comments and blank lines; `\` and `|` continue a line. */
export function commandsOf(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(/\|\n\s*/g, "| ")
    .split("\n")
    .map((line) => line.replace(/(^|\s+)# .*$/, "").trim())
    .filter((line) => line !== "");
}

/** Splits a line into its settings, as the shell reads them, and the command. Substituted commands are not run: their values are `…`. */
export function settingsOf(line: string): { readonly env: Record<string, string>; readonly command: string } {
  const [written = ""] = ASSIGNMENTS.exec(`${line} `) ?? [];
  const command = `${line} `.slice(written.length).trim();
  if (written === "") return { env: {}, command };
  const plain = written.replaceAll(/\$\((?:[^()]|\([^()]*\))*\)/g, "…");
  const printed = execFileSync("env", ["-i", "sh", "-c", `set -a; ${plain}; env -0`], { encoding: "utf8" });
  const named = new Set(Array.from(plain.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]*)=/g), ([, name]) => name));
  const pairs = printed
    .split("\0")
    .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  return { env: Object.fromEntries(pairs.filter(([name]) => named.has(name))), command };
}
