import { expect, it } from "vitest";
import { browserMemory, remembered } from "./browser-memory.ts";

const THEME = { key: "theme", values: ["auto", "light", "dark"] } as const;

it("stores values that fit, and never throws when the storage is denied or full", () => {
  const denied = browserMemory(() => {
    throw new DOMException("denied", "SecurityError");
  });
  denied.setItem("a", "b");
  denied.removeItem("a");
  expect(denied.getItem("a")).toBeNull();
  const kept = new Map<string, string>();
  // Nothing else is called.
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > 3) throw new DOMException("full", "QuotaExceededError");
      kept.set(name, value);
    },
    removeItem: (name: string) => void kept.delete(name),
  } as Storage;
  const memory = browserMemory(() => storage);
  memory.setItem("a", "b");
  memory.setItem("a", "too long");
  expect(memory.getItem("a")).toBe("b");
  memory.removeItem("a");
  expect(memory.getItem("a")).toBeNull();
});

function memoryOf(entries: Record<string, string>) {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

it("restores a stored value, and stores its changes", () => {
  const memory = memoryOf({ "planwright.theme": "dark" });
  const theme = remembered(memory, THEME);
  expect(theme.get()).toBe("dark");
  theme.set("light");
  expect(remembered(memory, THEME).get()).toBe("light");
});

it("uses the first value if nothing or an unknown value is stored", () => {
  expect(remembered(memoryOf({}), THEME).get()).toBe("auto");
  expect(remembered(memoryOf({ "planwright.theme": "sepia" }), THEME).get()).toBe("auto");
});
