/** A pseudo-terminal and the screen of it, as a person would see it. */
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

export type Terminal = Disposable & {
  /** What stands on the screen now, line by line, without what is empty at its end. */
  screen(): string;
  /** Every screen that a change has left, since the terminal was opened. */
  readonly seen: readonly string[];
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  readonly ended: Promise<number>;
};

const SCREENS_MAX = 2_000;

export function openTerminal(
  program: string,
  args: readonly string[],
  {
    env,
    columns = 80,
    rows = 24,
  }: {
    readonly env: Readonly<Record<string, string>>;
    readonly columns?: number;
    readonly rows?: number;
  },
): Terminal {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn(program, [...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    env: { TERM: "xterm-256color", ...env },
  });
  const seen: string[] = [];
  const read = (): string => {
    const { active } = screen.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  };
  child.onData((data) =>
    screen.write(data, () => {
      seen.push(read());
      if (seen.length > SCREENS_MAX) seen.shift();
    }),
  );
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  return {
    screen: read,
    seen,
    type: (keys) => child.write(keys),
    resize(to, lines) {
      child.resize(to, lines);
      screen.resize(to, lines);
    },
    ended,
    [Symbol.dispose]() {
      child.kill("SIGKILL");
      screen.dispose();
    },
  };
}
