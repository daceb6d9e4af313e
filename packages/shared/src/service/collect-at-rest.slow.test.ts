// In separate processes: the heap of a test run contains its modules and shows little.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = new URL("./collect-at-rest.ts", import.meta.url).href;
const SCRIPT = `
  import { setTimeout as delay } from "node:timers/promises";
  import v8 from "node:v8";
  import { collectAtRest } from ${JSON.stringify(MODULE)};
  const heapMib = () => Math.round(v8.getHeapStatistics().total_heap_size / 1024 / 1024);
  /** Grows the heap by 200 MiB that nothing needs afterwards. */
  const burst = async () => {
    const kept = [];
    for (const goal = heapMib() + 200; heapMib() < goal; await delay(0))
      kept.push(Array.from({ length: 50_000 }, (_, index) => ({ index })));
    return heapMib();
  };
  const untilCollected = async (peak) => {
    for (let looks = 0; looks < 600 && heapMib() > peak - 100; looks += 1) await delay(100);
    return heapMib();
  };
  using _collecting = collectAtRest({ lookMs: 100 });
`;

async function run(course: string): Promise<number[]> {
  const args = ["--input-type=module", "--eval", SCRIPT + course];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as number[];
}

it("returns the memory of a burst whenever the process is idle", async () => {
  const sizes = await run(`
    const sizes = [];
    for (let bursts = 0; bursts < 2; bursts += 1) {
      const peak = await burst();
      sizes.push(peak, await untilCollected(peak));
    }
    console.log(JSON.stringify(sizes));
  `);
  const [first = 0, afterFirst = 0, second = 0, afterSecond = 0] = sizes;
  expect(first - afterFirst).toBeGreaterThan(100);
  expect(second - afterSecond).toBeGreaterThan(100);
});

it("does not collect garbage while the process is busy", async () => {
  const [peak = 0, busy = 0] = await run(`
    const peak = await burst();
    for (let turns = 0; turns < 10; turns += 1) {
      const until = performance.now() + 50;
      while (performance.now() < until);
      await delay(0);
    }
    console.log(JSON.stringify([peak, heapMib()]));
  `);
  expect(peak - busy).toBeLessThan(100);
});
