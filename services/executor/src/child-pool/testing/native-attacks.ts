/**
 * Attacks that tests run as machine code in a child's process, where Node's permissions do not apply: system calls, `/proc`, the
 * root of the file system. Each returns what it got hold of, and throws if something stopped it.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { constants } from "node:os";
import { z } from "zod";
import { ARCHITECTURES, EPERM } from "../../wall/system-call-filter.ts";

const What = z.object({
  /** A file in a home folder. */
  inHome: z.string(),
  /** Pid of the executor. */
  parent: z.int(),
  /** Maximum number of bytes that a child can write. */
  scratchBytes: z.int(),
});
type What = z.infer<typeof What>;

/** The API of node:ffi, which Node's types do not include yet. */
type Ffi = {
  readonly dlopen: (
    library: null,
    functions: Readonly<Record<string, { readonly return: string; readonly arguments: readonly string[] }>>,
  ) => { readonly functions: Readonly<Record<string, (...values: readonly bigint[]) => bigint>> };
  readonly getInt32: (pointer: bigint, offset: number) => number;
};

const { arch } = process;
const CALLS = arch === "x64" || arch === "arm64" ? ARCHITECTURES[arch] : undefined;
/** Flags that make `clone` create a process, as `fork` does. */
const FORK_FLAGS = BigInt(constants.signals.SIGCHLD);

export const NATIVE_ATTACKS = {
  "read the accounts of the machine": () => fs.readFileSync("/etc/passwd", "utf8"),
  "read the address of the name server": () => fs.readFileSync("/etc/resolv.conf", "utf8"),
  "read a file of its account's home": ({ inHome }) => fs.readFileSync(inHome, "utf8"),
  "list the devices": () => fs.readdirSync("/dev"),
  "find processes that are not its own": () =>
    some(fs.readdirSync("/proc").filter((name) => Number(name) > 2)),
  "read the memory of its parent": ({ parent }) => fs.openSync(`/proc/${parent}/mem`, "r"),
  "write to the memory of the process that watches it": () => fs.openSync("/proc/1/mem", "r+"),
  "change a setting of the kernel": () => fs.writeFileSync("/proc/sys/kernel/hostname", "mine"),
  "press a key of the kernel": () => fs.openSync("/proc/sysrq-trigger", "w"),
  "write into the root folder": () => fs.writeFileSync("/written", "x"),
  "replace Node": () => fs.writeFileSync(process.execPath, "x"),
  "replace its own code": () => fs.writeFileSync(import.meta.filename, "x"),
  "write more than it may": ({ scratchBytes }) =>
    fs.writeFileSync("/tmp/written", Buffer.alloc(scratchBytes + 1)),
  "write more than it may, in many files": ({ scratchBytes }) => {
    for (let at = 0; at <= 64; at += 1) fs.writeFileSync(`/tmp/${at}`, Buffer.alloc(scratchBytes / 64));
  },
  "start Node again": () => {
    const { error, status } = spawnSync(process.execPath, ["--version"]);
    if (error !== undefined) throw error;
    return status;
  },
  "start processes without end": async () => {
    const call = await systemCall();
    return some(
      Array.from({ length: 100 }, () => call(CALLS?.clone, FORK_FLAGS)).filter(({ value }) => value > 0),
    );
  },
  /** Returns the calls that the filter does not refuse, even if something else would. */
  "make a system call that is refused": async () => {
    const call = await systemCall();
    const refused = Object.entries(CALLS?.refused ?? {});
    return some(refused.filter(([, number]) => call(number).errno !== EPERM).map(([name]) => name));
  },
} satisfies Record<string, (what: What) => unknown>;
export type NativeAttackName = keyof typeof NATIVE_ATTACKS;
export const NATIVE_ATTACK_NAMES = Object.keys(NATIVE_ATTACKS) as NativeAttackName[];

export const NativeTarget = What.extend({ native: z.enum(NATIVE_ATTACK_NAMES) });

/** Returns a function that makes system calls, as machine code would. */
async function systemCall() {
  const name = "node:ffi";
  const ffi = (await import(name)) as Ffi;
  const { functions } = ffi.dlopen(null, {
    syscall: { return: "i64", arguments: Array.from({ length: 7 }, () => "i64") },
    __errno_location: { return: "pointer", arguments: [] },
  });
  const { syscall, __errno_location: place } = functions;
  if (syscall === undefined || place === undefined) throw new Error("there is no such function");
  return (number = 0, first = 0n) => {
    const value = syscall(BigInt(number), first, 0n, 0n, 0n, 0n, 0n);
    return { value, errno: value === -1n ? ffi.getInt32(place(), 0) : 0 };
  };
}

function some<Item>(found: readonly Item[]): string {
  if (found.length === 0) throw new Error("there is none");
  return found.join(", ");
}
