import { expect, it } from "vitest";
import { COLUMNS, columnsIn, GOAL } from "./columns.tsx";

const all = new Set<string>(COLUMNS.map(({ id }) => id));
const ids = (widthPx: number, chosen = all) => columnsIn(widthPx, chosen).map(({ id }) => id);

it("shows all chosen columns in their order if there is room", () => {
  expect(ids(2_000)).toEqual(COLUMNS.map(({ id }) => id));
  expect(ids(2_000, new Set(["started", "cost"]))).toEqual(["cost", "started"]);
});

it("shows the most important columns if there is little room, and never more than fit", () => {
  expect(ids(GOAL.widthPx)).toEqual([]);
  expect(ids(330)).toEqual(["status"]);
  for (let widthPx = 0; widthPx < 1_300; widthPx += 10) {
    const used = columnsIn(widthPx, all).reduce((sum, column) => sum + column.widthPx, 0);
    expect(used).toBeLessThanOrEqual(Math.max(0, widthPx - GOAL.widthPx));
    expect(widthPx - used).toBeGreaterThanOrEqual(Math.min(260, 0.35 * widthPx));
  }
});
