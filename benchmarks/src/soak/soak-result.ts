import type { FlowedPlan } from "@planwright/testkit";
import type { Kills } from "./kill-at-random.ts";
import type { MemoryTrend } from "./watch-memory.ts";

/** Memory counts as flat if the last third exceeds the first by at most this factor. */
const GROWTH_MAX = 1.25;
/** Initial growth allowed for caches and the compiler, in mebibytes. */
const WARM_UP_MIB = 24;

export type SoakResult = {
  readonly minutes: number;
  readonly seed: number;
  readonly plans: Readonly<Record<string, number>>;
  readonly kills: Kills;
  /** Every broken guarantee, as text. */
  readonly broken: readonly string[];
  /** Effects that the target received more than once for the same key. */
  readonly doubled: readonly string[];
  readonly memory: readonly MemoryTrend[];
};

export function countByKind(plans: readonly FlowedPlan[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of plans) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Services whose memory grew; nats-server stores the plans of the whole soak, so its memory is only shown. */
export function growing(memory: readonly MemoryTrend[]): string[] {
  return memory
    .filter(({ name, firstThird, lastThird }) => {
      return name !== "nats-server" && lastThird > firstThird * GROWTH_MAX + WARM_UP_MIB;
    })
    .map(({ name }) => name);
}

/** Whether the soak found no problems. */
export function isClean({ broken, doubled, memory }: SoakResult): boolean {
  return broken.length === 0 && doubled.length === 0 && growing(memory).length === 0;
}

export function soakTable(result: SoakResult): string {
  const { minutes, seed, plans, kills, broken, doubled, memory } = result;
  const count = (record: Readonly<Record<string, number>>): string =>
    Object.entries(record)
      .map(([name, number]) => `${name} ${number}`)
      .join(", ");
  const total = Object.values(plans).reduce((sum, number) => sum + number, 0);
  return [
    `| soak | ${minutes} minutes, seed ${seed} |`,
    "|---|---|",
    `| plans | ${total}: ${count(plans)} |`,
    `| kills | ${count(kills)} |`,
    `| lost, stuck, out of order | ${broken.length} |`,
    `| doubled \`once\` effects | ${doubled.length} |`,
    ...memory.map(
      ({ name, firstThird, lastThird, most }) =>
        `| memory of ${name} | first third ${firstThird} MiB, last third ${lastThird} MiB, most ${most} MiB |`,
    ),
    ...[...broken, ...doubled].slice(0, 20).map((line) => `| broken | ${line} |`),
    ...growing(memory).map((name) => `| growing | ${name} |`),
  ].join("\n");
}
