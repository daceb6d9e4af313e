import { describe, expect, it } from "vitest";
import {
  ALLOW,
  ARCHITECTURES,
  ENOSYS,
  EPERM,
  failWith,
  type FilteredArch,
  KILL_PROCESS,
  systemCallFilter,
} from "./system-call-filter.ts";

type Call = { readonly number: number; readonly audit: number; readonly flags?: number };

/** The kernel's verdict: interprets the program by the kernel's rules, reading each instruction as a `struct sock_filter`. */
function verdictOf(program: Buffer, { number, audit, flags = 0 }: Call): number {
  const data: Readonly<Record<number, number>> = { 0: number, 4: audit, 16: flags };
  let loaded = 0;
  for (let at = 0; at * 8 < program.length; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) loaded = data[value] ?? Number.NaN;
    else {
      const holds = new Map([
        [0x15, loaded === value],
        [0x35, loaded >= value],
        [0x45, (loaded & value) !== 0],
      ]).get(code);
      if (holds === undefined) throw new Error(`no such instruction: ${code}`);
      at += program.readUInt8(at * 8 + (holds ? 2 : 3));
    }
  }
  throw new Error("the program ends without a verdict");
}

const FORK_FLAGS = 17;
const THREAD_FLAGS = 0x3d0f00;
const NEW_USER_NAMESPACE = 0x10000000;

describe.each(["x64", "arm64"] satisfies FilteredArch[])("the filter for %s", (arch) => {
  const { audit, clone, clone3, refused } = ARCHITECTURES[arch];
  const program = systemCallFilter(arch);
  const verdict = (call: Omit<Call, "audit">) => verdictOf(program, { audit, ...call });

  it.each(Object.entries(refused))("refuses %s", (_name, number) => {
    expect(verdict({ number })).toBe(failWith(EPERM));
  });

  it("permits all other calls", () => {
    const others = Array.from({ length: 470 }, (_, number) => number).filter(
      (number) => !Object.values(refused).includes(number) && number !== clone && number !== clone3,
    );
    expect(others.filter((number) => verdict({ number }) !== ALLOW)).toEqual([]);
  });

  it("permits threads, but no processes or namespaces", () => {
    expect(verdict({ number: clone, flags: THREAD_FLAGS })).toBe(ALLOW);
    expect(verdict({ number: clone, flags: FORK_FLAGS })).toBe(failWith(EPERM));
    expect(verdict({ number: clone, flags: NEW_USER_NAMESPACE })).toBe(failWith(EPERM));
  });

  it("reports that clone3, whose flags it cannot see, does not exist", () => {
    expect(verdict({ number: clone3, flags: THREAD_FLAGS })).toBe(failWith(ENOSYS));
  });

  it("ends a process that uses another architecture's call numbers", () => {
    const other = ARCHITECTURES[arch === "x64" ? "arm64" : "x64"].audit;
    expect(verdictOf(program, { number: clone, audit: other })).toBe(KILL_PROCESS);
  });
});

it("ends a process that uses x32 call numbers", () => {
  const call = { audit: ARCHITECTURES.x64.audit, number: 0x40000000 + 101 };
  expect(verdictOf(systemCallFilter("x64"), call)).toBe(KILL_PROCESS);
});
