/** Runs what a document shows at a prompt, and compares what comes with what the document says comes. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { CodeBlock } from "./read-documents.ts";

export type ShownCommand = { readonly command: string; readonly shown: readonly string[] };

/** The commands of a `console` block, each with the lines that stand below it. */
export function shownCommands({ code }: Pick<CodeBlock, "code">): ShownCommand[] {
  const commands: { command: string; shown: string[] }[] = [];
  for (const line of code.trimEnd().split("\n")) {
    if (line.startsWith("$ ")) commands.push({ command: line.slice(2), shown: [] });
    else commands.at(-1)?.shown.push(line);
  }
  return commands;
}

/** A command as a shell runs it; what it says on both outputs, in the order of output and error. */
export async function runShell(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.withResolvers<number | null>();
  child.once("close", (code) => ended.resolve(code)).once("error", ended.reject);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended.promise]);
  return { code, said: `${err}${out}` };
}

/** The first line that is shown and did not come, in its order; undefined when all came. `…` stands for anything. */
export function missingLine(said: string, shown: readonly string[]): string | undefined {
  const lines = said.split("\n");
  let from = 0;
  for (const wanted of shown) {
    if (wanted === "…") continue;
    const pattern = patternOf(wanted);
    const at = lines.findIndex((line, index) => index >= from && pattern.test(line));
    if (at === -1) return wanted;
    from = at + 1;
  }
  return undefined;
}

function patternOf(shown: string): RegExp {
  const parts = shown.split("…").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join(".*")}$`);
}
