/**
 * A wall of the operating system around a child process: bubblewrap gives it its own namespaces, so that files, network
 * and other processes are not forbidden to it but not there.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { constants } from "node:os";
import { type FilteredArch, systemCallFilter } from "./system-call-filter.ts";

export type Wall = {
  /** Absolute path of `bwrap`. */
  readonly bin: string;
  /** Such as `0.8.0`. */
  readonly version: string;
  readonly arch: FilteredArch;
  /** Files that every child reads to run at all: Node and its libraries. */
  readonly runtime: readonly string[];
};

/** Folders outside of the child's code. */
export type Reach = {
  readonly folders: readonly string[];
  /** Whether the child may write there. */
  readonly writable: boolean;
};

export type WalledCommand = {
  /** The command line of Node. */
  readonly args: readonly string[];
  /** Files and folders that the child finds where they are, and cannot change. What is not there is left out. */
  readonly readablePaths: readonly string[];
  readonly reach?: Reach | undefined;
};

/** The pipe that the filter is handed over by; bubblewrap closes it before the child starts. */
const FILTER_FD = 5;
/** Where Node's side of the channel to the parent is, as in {@link startBehind}'s `stdio`. */
const CHANNEL_FD = 3;
/** Of another account than any on the machine; outside, the child is still the account that started it. */
const NOBODY = "65534";
/** All that a child can write to: it counts as memory of the machine and not of the child. */
export const SCRATCH_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Starts a child of Node behind the wall, with the pipes of a pool: nothing on standard input and output, standard error,
 * the channel, and a pipe for questions. Killing it kills what it has started; how it ended is told by {@link endOf}.
 */
export function startBehind(wall: Wall, command: WalledCommand): ChildProcess {
  const child = spawn(wall.bin, wallArguments(wall, command), {
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc", "pipe", "pipe"],
  });
  // Its type knows of five.
  const pipes: readonly unknown[] = child.stdio;
  const filter = pipes[FILTER_FD];
  if (filter instanceof Socket) {
    // A pipe that breaks belongs to a bubblewrap that has ended, which its exit tells.
    filter.on("error", () => undefined);
    filter.end(systemCallFilter(wall.arch));
    filter.unref();
  }
  return child;
}

/** The arguments of `bwrap`. Later ones lie over earlier ones: no folder of data hides the code. */
export function wallArguments(wall: Wall, { args, readablePaths, reach }: WalledCommand): string[] {
  const bind = reach?.writable === true ? "--bind" : "--ro-bind";
  const variables = {
    NODE_CHANNEL_FD: String(CHANNEL_FD),
    NODE_CHANNEL_SERIALIZATION_MODE: "advanced",
    // Outside, Node would find the time zone in files.
    TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  return [
    // The first of the two continues without a namespace for users, where there is none.
    ["--unshare-all", "--unshare-user"],
    ["--uid", NOBODY, "--gid", NOBODY, "--hostname", "child"],
    ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--seccomp", String(FILTER_FD)],
    ["--clearenv", ...Object.entries(variables).flatMap((variable) => ["--setenv", ...variable])],
    // Read-only: to the account root, settings of the kernel are files that it owns.
    ["--proc", "/proc", "--remount-ro", "/proc"],
    ["--size", String(SCRATCH_BYTES_MAX), "--tmpfs", "/tmp"],
    (reach?.folders ?? []).flatMap((folder) => [bind, folder, folder]),
    wall.runtime.flatMap((file) => ["--ro-bind", file, file]),
    readablePaths.flatMap((path) => ["--ro-bind-try", path, path]),
    ["--remount-ro", "/", "--chdir", "/", "--", process.execPath],
    args,
  ].flat();
}

/** How a child behind a wall has ended: bubblewrap tells the signal by its own exit code, as shells do. */
export function endOf(code: number | null, killedBy: NodeJS.Signals | null) {
  const number = (code ?? 0) - 128;
  const inner = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return inner === undefined ? { code, killedBy } : { code: null, killedBy: inner as NodeJS.Signals }; // A key of the table of signals.
}
