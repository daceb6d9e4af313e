import { expect, it } from "vitest";
import { createKeyMap } from "./key-map.ts";

function keyboard() {
  const did: string[] = [];
  let nowMs = 0;
  const kept = new Map<string, string>();
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const map = createKeyMap({ memory, now: () => nowMs });
  return {
    map,
    did,
    memory,
    press: (key: string, more: { modified?: boolean; typing?: boolean } = {}) =>
      map.press({ key, modified: false, typing: false, ...more }),
    later: (ms: number) => {
      nowMs += ms;
    },
    does: (...all: string[]) =>
      map.add(all.map((keys) => ({ keys, label: `does ${keys}`, run: () => did.push(keys) }))),
  };
}

it("runs the action of a key, and nothing for other keys or after its removal", () => {
  const { press, does, did } = keyboard();
  const remove = does("p", "?");
  expect([press("p"), press("?"), press("x")]).toEqual([true, true, false]);
  remove();
  expect(press("p")).toBe(false);
  expect(did).toEqual(["p", "?"]);
});

it("ignores keys while the user types or holds a modifier, except Escape", () => {
  const { press, does, did } = keyboard();
  does("p", "Escape");
  expect(press("p", { typing: true })).toBe(false);
  expect(press("p", { modified: true })).toBe(false);
  expect(press("Escape", { typing: true })).toBe(true);
  expect(did).toEqual(["Escape"]);
});

it("accepts a sequence of two keys within a short time", () => {
  const { press, does, did, later } = keyboard();
  does("g h", "h");
  press("g");
  press("h");
  press("g");
  later(2_000);
  press("h");
  press("g");
  press("x");
  press("h");
  expect(did).toEqual(["g h", "h", "h"]);
});

it("gives a key to the last part that adds it, until that part removes it", () => {
  const { map, press, does, did } = keyboard();
  does("/");
  const run = () => did.push("tools");
  const remove = map.add([{ keys: "/", label: "Search tools", run }]);
  expect(map.bindings.get().map(({ label }) => label)).toEqual(["Search tools"]);
  press("/");
  remove();
  press("/");
  expect(did).toEqual(["tools", "/"]);
});

it("lists the keys that the focused part handles, and leaves them to it", () => {
  const { map, press, does, did } = keyboard();
  does("Home");
  map.add([{ keys: "ArrowUp ArrowDown", label: "Up and down" }]);
  expect(map.bindings.get().map(({ label }) => label)).toEqual(["does Home", "Up and down"]);
  expect([press("ArrowUp"), press("ArrowDown"), press("Home")]).toEqual([false, false, true]);
  expect(did).toEqual(["Home"]);
});

it("can be switched off, and remembers that", () => {
  const { map, press, does, did, memory } = keyboard();
  does("p", "Escape");
  map.use.set("off");
  expect([press("p"), press("Escape")]).toEqual([false, true]);
  expect(createKeyMap({ memory, now: () => 0 }).use.get()).toBe("off");
  map.use.set("on");
  press("p");
  expect(did).toEqual(["Escape", "p"]);
});
