import type { Page } from "playwright-core";
import { z } from "zod";

/** Users notice longer tasks. */
const LONG_TASK_MS = 50;

export type Fluency = {
  readonly framesPerS: number;
  readonly longestGapMs: number;
  readonly longTasks: number;
};

/** How often the page could have painted, and what blocked it. @throws {RangeError} Without two frames. */
export function fluencyOf({ framesMs, longTasksMs }: Pick<Seen, "framesMs" | "longTasksMs">): Fluency {
  const [first] = framesMs;
  const last = framesMs.at(-1);
  if (first === undefined || last === undefined || last <= first) throw new RangeError("wanted two frames");
  const gaps = framesMs.slice(1).map((at, index) => at - (framesMs[index] ?? at));
  return {
    framesPerS: (1_000 * gaps.length) / (last - first),
    longestGapMs: Math.max(...gaps),
    longTasks: longTasksMs.filter((ms) => ms > LONG_TASK_MS).length,
  };
}

/** Times are milliseconds of `performance.now()` of the page. */
const Seen = z.object({
  /** The zero of the page's clock, since the epoch. */
  timeOriginMs: z.number(),
  /** When each mark first appeared. */
  firstMs: z.record(z.string(), z.number()),
  /** Each change in the number of settled steps on the page. */
  settled: z.array(z.tuple([z.number(), z.number()])),
  framesMs: z.array(z.number()),
  longTasksMs: z.array(z.number()),
});
export type Seen = z.infer<typeof Seen>;

/** The selectors of the marks, by name. */
const MARKS = {
  /** The start page accepts input. */
  goal: "textarea",
  plan: "[data-part=plan-goal]",
  graph: "[data-node]",
} as const;

const PROBE = `{
  const marks = ${JSON.stringify(MARKS)};
  const seen = { timeOriginMs: performance.timeOrigin, firstMs: {}, settled: [], framesMs: [], longTasksMs: [] };
  let shown = "";
  const look = () => {
    const now = performance.now();
    for (const name in marks) {
      if (!(name in seen.firstMs) && document.querySelector(marks[name]) !== null) seen.firstMs[name] = now;
    }
    const words = document.querySelector("[data-part=plan-facts]")?.textContent ?? "";
    const settled = /(\\d+) of \\d+ steps/.exec(words)?.[1];
    if (settled === undefined || settled === shown) return;
    shown = settled;
    seen.settled.push([now, Number(settled)]);
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.longTasksMs.push(entry.duration);
  }).observe({ entryTypes: ["longtask"] });
  const frame = (now) => {
    seen.framesMs.push(now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.seenByBenchmark = seen;
}`;

export async function probe(page: Page): Promise<void> {
  await page.addInitScript(PROBE);
}

/** The records since the page was opened; frames and tasks since they were last cleared. */
export async function seenIn(page: Page): Promise<Seen> {
  return Seen.parse(await page.evaluate("window.seenByBenchmark"));
}

export async function forgetFrames(page: Page): Promise<void> {
  await page.evaluate("{ seenByBenchmark.framesMs.length = 0; seenByBenchmark.longTasksMs.length = 0; }");
}
