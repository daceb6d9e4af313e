/** Resident memory of processes over time, from `/proc`. */
import { readFile } from "node:fs/promises";

const EVERY_MS = 1_000;
const KIB = 1024;
const MIB = KIB * KIB;

export type MemoryTrend = {
  readonly name: string;
  /** Mebibytes: the means of the first and the last third of the samples, and the maximum. */
  readonly firstThird: number;
  readonly lastThird: number;
  readonly most: number;
  readonly samples: number;
};

export type MemoryWatch = { stop(): MemoryTrend[] };

/** Reads the memory of each process once a second. */
export function watchMemory(
  processes: readonly { readonly name: string; readonly pid: number }[],
): MemoryWatch {
  const samples = new Map<string, number[]>(processes.map(({ name }) => [name, []]));
  const timer = setInterval(() => {
    for (const { name, pid } of processes) {
      void residentBytes(pid).then((bytes) =>
        bytes === undefined ? undefined : samples.get(name)?.push(bytes),
      );
    }
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return [...samples].map(([name, bytes]) => trendOf(name, bytes));
    },
  };
}

export function trendOf(name: string, bytes: readonly number[]): MemoryTrend {
  const third = Math.max(1, Math.floor(bytes.length / 3));
  const mean = (part: readonly number[]): number =>
    Math.round(part.reduce((sum, one) => sum + one, 0) / Math.max(1, part.length) / MIB);
  return {
    name,
    firstThird: mean(bytes.slice(0, third)),
    lastThird: mean(bytes.slice(-third)),
    most: Math.round(bytes.reduce((most, one) => Math.max(most, one), 0) / MIB),
    samples: bytes.length,
  };
}

async function residentBytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * KIB;
}
