/**
 * The system calls that a child behind the wall is refused, as a program for the kernel's filter (seccomp, classic BPF).
 *
 * A deny list, because Node uses several hundred calls, and different ones in each version. It removes what the namespaces leave:
 * ways to start processes, to open sockets of any family (VSOCK has no namespace on many kernels), to inspect processes, and the
 * parts of the kernel that most often have vulnerabilities.
 */

/** The processors whose system calls the wall knows, by Node's names. */
export type FilteredArch = "x64" | "arm64";

type Architecture = {
  /** `AUDIT_ARCH_…`: the kernel's identifier of the architecture that made the call. */
  readonly audit: number;
  readonly clone: number;
  readonly clone3: number;
  /** Calls from this number on belong to another ABI of the same processor. */
  readonly foreignFrom?: number;
  readonly refused: Readonly<Record<string, number>>;
};

/** The same numbers on every architecture: calls that were added after the tables were unified. */
const REFUSED_EVERYWHERE = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  pidfd_getfd: 438,
  mount_setattr: 442,
};

export const ARCHITECTURES: Readonly<Record<FilteredArch, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    foreignFrom: 0x40000000,
    refused: {
      ...REFUSED_EVERYWHERE,
      socket: 41,
      socketpair: 53,
      fork: 57,
      vfork: 58,
      ptrace: 101,
      personality: 135,
      pivot_root: 155,
      chroot: 161,
      mount: 165,
      umount2: 166,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    refused: {
      ...REFUSED_EVERYWHERE,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      chroot: 51,
      personality: 92,
      unshare: 97,
      ptrace: 117,
      socket: 198,
      socketpair: 199,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      perf_event_open: 241,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      bpf: 280,
      userfaultfd: 282,
    },
  },
};

/** Instructions: load a word of the call, compare it, return an action. */
const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in the kernel's `struct seccomp_data`; for an argument, of its lower half. */
const AT_NUMBER = 0;
const AT_ARCH = 4;
const AT_FIRST_ARGUMENT = 16;

export const ALLOW = 0x7fff0000;
export const KILL_PROCESS = 0x80000000;
/** Fails the call with this `errno`. */
export const failWith = (errno: number): number => 0x00050000 + errno;
export const EPERM = 1;
export const ENOSYS = 38;
/** Set in the flags of a call that creates a thread instead of a process. */
const CLONE_THREAD = 0x00010000;

const INSTRUCTION_BYTES = 8;

type Verdict = "allow" | "refuse" | "unknown" | "kill" | "clone";
type Test = { readonly code: number; readonly value: number; readonly verdict: Verdict };

/** Returns the compiled program. Refused calls fail with EPERM; a call of a foreign ABI ends the process. */
export function systemCallFilter(arch: FilteredArch): Buffer {
  const { audit, clone, clone3, foreignFrom, refused } = ARCHITECTURES[arch];
  const tests: Test[] = [
    ...(foreignFrom === undefined
      ? []
      : [{ code: JUMP_AT_LEAST, value: foreignFrom, verdict: "kill" } as const]),
    { code: JUMP_EQUAL, value: clone, verdict: "clone" },
    // Its flags are in memory, which filters cannot read. Callers that get ENOSYS fall back to `clone`.
    { code: JUMP_EQUAL, value: clone3, verdict: "unknown" },
    ...Object.values(refused).map((value) => ({ code: JUMP_EQUAL, value, verdict: "refuse" }) as const),
  ];
  const tail = 3 + tests.length;
  /** The position of each action. */
  const at: Readonly<Record<Verdict, number>> = {
    allow: tail,
    clone: tail + 1,
    refuse: tail + 3,
    unknown: tail + 4,
    kill: tail + 5,
  };
  /** After all others, because jumps only go forward. */
  const allowThread = tail + 6;
  const to = (verdict: Verdict, from: number): number => at[verdict] - from - 1;
  return Buffer.concat([
    instruction(LOAD_WORD, AT_ARCH),
    instruction(JUMP_EQUAL, audit, 0, to("kill", 1)),
    instruction(LOAD_WORD, AT_NUMBER),
    ...tests.map(({ code, value, verdict }, index) => instruction(code, value, to(verdict, 3 + index))),
    instruction(RETURN, ALLOW),
    instruction(LOAD_WORD, AT_FIRST_ARGUMENT),
    instruction(JUMP_ANY_BIT, CLONE_THREAD, allowThread - (at.clone + 2), 0),
    instruction(RETURN, failWith(EPERM)),
    instruction(RETURN, failWith(ENOSYS)),
    instruction(RETURN, KILL_PROCESS),
    instruction(RETURN, ALLOW),
  ]);
}

/** @param jumpTrue - Instructions to skip when the test is true; `jumpFalse` when it is false. */
function instruction(code: number, value: number, jumpTrue = 0, jumpFalse = 0): Buffer {
  const bytes = Buffer.alloc(INSTRUCTION_BYTES);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(jumpTrue, 2);
  bytes.writeUInt8(jumpFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
