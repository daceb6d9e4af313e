/**
 * A wall of the operating system around a child process: bubblewrap gives it its own namespaces, in which other files, the
 * network and other processes do not exist, rather than being forbidden.
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
  /** Files that every child needs to run at all: Node and its libraries. */
  readonly runtime: readonly string[];
};

/** Folders in addition to the child's code. */
export type Reach = {
  readonly folders: readonly string[];
  /** Whether the child can write there. */
  readonly writable: boolean;
};

export type WalledCommand = {
  /** Node's command line. */
  readonly args: readonly string[];
  /** Files and folders that the child finds at their original paths, read-only. Missing ones are skipped. */
  readonly readablePaths: readonly string[];
  readonly reach?: Reach | undefined;
};

/** The pipe that passes the filter; bubblewrap closes it before the child starts. */
const FILTER_FD = 5;
/** The descriptor of Node's channel to the parent, as in {@link startBehind}'s `stdio`. */
const CHANNEL_FD = 3;
/** No account on the machine has this id; outside, the child still has the account that started it. */
const NOBODY = "65534";
/** The total that a child can write: it counts as memory of the machine, not of the child. */
export const SCRATCH_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Starts a Node child behind the wall with the pipes of a pool: nothing on standard input and output, standard error, the
 * channel, and a pipe for questions. Killing it also kills everything that it started; {@link endOf} returns how it ended.
 */
export function startBehind(wall: Wall, command: WalledCommand): ChildProcess {
  const child = spawn(wall.bin, wallArguments(wall, command), {
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc", "pipe", "pipe"],
  });
  // Its type only has five.
  const pipes: readonly unknown[] = child.stdio;
  const filter = pipes[FILTER_FD];
  if (filter instanceof Socket) {
    // If the pipe breaks, bubblewrap has exited; its exit event reports that.
    filter.on("error", () => undefined);
    filter.end(systemCallFilter(wall.arch));
    filter.unref();
  }
  return child;
}

/** The arguments of `bwrap`. Later ones cover earlier ones, so no data folder can hide the code. */
export function wallArguments(wall: Wall, { args, readablePaths, reach }: WalledCommand): string[] {
  const bind = reach?.writable === true ? "--bind" : "--ro-bind";
  const variables = {
    NODE_CHANNEL_FD: String(CHANNEL_FD),
    NODE_CHANNEL_SERIALIZATION_MODE: "advanced",
    // Outside, Node would find the time zone in files.
    TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  return [
    // The first of the two continues without a user namespace where it is unavailable.
    ["--unshare-all", "--unshare-user"],
    ["--uid", NOBODY, "--gid", NOBODY, "--hostname", "child"],
    ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--seccomp", String(FILTER_FD)],
    ["--clearenv", ...Object.entries(variables).flatMap((variable) => ["--setenv", ...variable])],
    // Read-only, because root owns the kernel settings there, which are files.
    ["--proc", "/proc", "--remount-ro", "/proc"],
    ["--size", String(SCRATCH_BYTES_MAX), "--tmpfs", "/tmp"],
    (reach?.folders ?? []).flatMap((folder) => [bind, folder, folder]),
    wall.runtime.flatMap((file) => ["--ro-bind", file, file]),
    readablePaths.flatMap((path) => ["--ro-bind-try", path, path]),
    ["--remount-ro", "/", "--chdir", "/", "--", process.execPath],
    args,
  ].flat();
}

/** How a child behind a wall ended: bubblewrap encodes the signal in its own exit code, as shells do. */
export function endOf(code: number | null, killedBy: NodeJS.Signals | null) {
  const number = (code ?? 0) - 128;
  const inner = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return inner === undefined ? { code, killedBy } : { code: null, killedBy: inner as NodeJS.Signals }; // A key of the signal table.
}
