import { expect, it } from "vitest";
import { pageWorkload } from "./page.ts";

it("finds all parts of the page that it measures", async () => {
  const { measure, metrics } = pageWorkload();
  const context = { runs: 1, plans: 0, questions: 0, profileDir: undefined, say: () => undefined };
  const [reading] = await Array.fromAsync(measure(context));
  const missing = Object.keys(metrics).filter((key) => !Number.isFinite(reading?.values[key]));
  expect(missing).toEqual([]);
});
