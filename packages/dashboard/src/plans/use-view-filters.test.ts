import { expect, it } from "vitest";
import { createSavedViews, VIEWS_MAX } from "./use-view-filters.ts";

function storageOf(text?: string) {
  const kept = new Map(text === undefined ? [] : [["planwright.views", text]]);
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
}

it("keeps named views across a reload, up to the maximum", () => {
  const storage = storageOf();
  const views = createSavedViews(storage);
  for (let index = 0; index <= VIEWS_MAX; index++)
    views.save({ name: `view ${index}`, filter: { q: `${index}` } });
  views.save({ name: "view 2", filter: { status: "failed" } });
  views.remove("view 3");
  const again = createSavedViews(storage).views.get();
  expect(again).toEqual(views.views.get());
  expect(again).toHaveLength(VIEWS_MAX - 1);
  expect(again.at(-1)).toEqual({ name: "view 2", filter: { status: "failed" } });
});

it.each(["{", "7", '[["a"], [1, ""], null, ["", ""]]'])(
  "has no views where the browser has kept %s",
  (text) => {
    expect(createSavedViews(storageOf(text)).views.get()).toEqual([]);
  },
);
