import { expect, it } from "vitest";
import { browserMemory } from "./browser-memory.ts";

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
