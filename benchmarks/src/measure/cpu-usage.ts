/**
 * Processor time of processes, from `/proc`: more reliable than the wall clock when other work shares the machine.
 *
 * `schedstat` counts the nanoseconds of each thread, `stat` only ticks of 10 ms; the first is used if the kernel has it. The
 * nanoseconds of an ended thread are lost; the services' threads live as long as the services.
 */
import { readdir, readFile } from "node:fs/promises";

/** Processor milliseconds by process name. Processes with the same name are added up. */
export type CpuByProcess = Readonly<Record<string, number>>;

export type CpuReading = {
  readonly processes: CpuByProcess;
  /** Busy time of the whole machine, in milliseconds over all cores; undefined where unknown. */
  readonly machineMs: number | undefined;
  readonly atMs: number;
};

export type ProcessToWatch = { readonly name: string; readonly pid: number };

export async function readCpu(processes: readonly ProcessToWatch[]): Promise<CpuReading> {
  const sums: Record<string, number> = {};
  for (const { name, pid } of processes) sums[name] = (sums[name] ?? 0) + (await cpuMsOf(pid));
  return { processes: sums, machineMs: await machineBusyMs(), atMs: performance.now() };
}

/** The usage between two readings. */
export function cpuBetween(before: CpuReading, after: CpuReading): CpuByProcess {
  return Object.fromEntries(
    Object.entries(after.processes).map(([name, ms]) => [name, ms - (before.processes[name] ?? 0)]),
  );
}

/** Number of cores that other programs or other machines on the host kept busy between two readings; undefined where unknown. */
export function foreignCores(before: CpuReading, after: CpuReading): number | undefined {
  if (before.machineMs === undefined || after.machineMs === undefined) return undefined;
  const own = Object.values(cpuBetween(before, after)).reduce((sum, ms) => sum + ms, 0);
  return Math.max(0, (after.machineMs - before.machineMs - own) / (after.atMs - before.atMs));
}

/** Resident memory of a process in MiB; 0 when it has ended or the machine does not report it. */
export async function memoryMibOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => undefined)),
  );
  if (times.some((text) => text !== undefined)) {
    return times.reduce((sum, text) => sum + Number(text?.split(" ")[0] ?? 0), 0) / 1e6;
  }
  // After the last ")" because a process name can contain one; fields 14 and 15 are user and system time.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

async function machineBusyMs(): Promise<number | undefined> {
  const text = await readFile("/proc/stat", "utf8").catch(() => undefined);
  const [total] = text?.split("\n") ?? [];
  if (total === undefined) return undefined;
  // Time that the host gave to other machines while this one was ready is lost, like time used by other programs.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = total
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + stolen) * 10;
}
