import { expect, it } from "vitest";
import { remembered } from "./remembered.ts";

const THEME = { key: "theme", values: ["auto", "light", "dark"] } as const;

function memoryOf(entries: Record<string, string>) {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

it("is what was kept, and keeps what it becomes", () => {
  const memory = memoryOf({ "planwright.theme": "dark" });
  const theme = remembered(memory, THEME);
  expect(theme.get()).toBe("dark");
  theme.set("light");
  expect(remembered(memory, THEME).get()).toBe("light");
});

it("is the first of its values when nothing or something unknown was kept", () => {
  expect(remembered(memoryOf({}), THEME).get()).toBe("auto");
  expect(remembered(memoryOf({ "planwright.theme": "sepia" }), THEME).get()).toBe("auto");
});
