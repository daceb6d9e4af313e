import { expect, it } from "vitest";
import { createApiKey, type KeyChannel } from "./api-key.ts";

/** The tabs of one browser: each message reaches all other tabs. */
function browser() {
  const listeners = new Map<KeyChannel, (event: MessageEvent) => void>();
  const open = (kept = new Map<string, string>(), onForgotten = () => undefined) => {
    const channel: KeyChannel = {
      postMessage: (data: unknown) => {
        for (const [other, listener] of listeners)
          if (other !== channel) queueMicrotask(() => listener(new MessageEvent("message", { data })));
      },
      addEventListener: (_type: string, listener: unknown) =>
        void listeners.set(channel, listener as (event: MessageEvent) => void),
    };
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    return createApiKey(storage, { channel, onForgotten });
  };
  const signedIn = (key: string, onForgotten?: () => undefined) =>
    open(new Map([["planwright.api-key", key]]), onForgotten);
  return { open, signedIn };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

it("takes the key from another tab, and keeps it", async () => {
  const { open, signedIn } = browser();
  signedIn("k1");
  const kept = new Map<string, string>();
  const tab = open(kept);
  expect(await tab.borrow(undefined)).toBe(true);
  expect([tab.current(), [...kept.values()]]).toEqual(["k1", ["k1"]]);
});

it("borrows no key when no tab has one, or when this tab's key was refused", async () => {
  const { open, signedIn } = browser();
  const tab = open();
  open();
  expect(await tab.borrow(undefined)).toBe(false);
  const other = signedIn("old");
  signedIn("new");
  expect(await other.borrow("old")).toBe(false);
  expect(other.current()).toBe("old");
});

it("closes the key dialog of a waiting tab once the gateway has accepted a key in another one", async () => {
  const { open } = browser();
  const [waiting, other] = [open(), open()];
  const asked = waiting.ask(undefined);
  other.enter("k1");
  await settled();
  expect(waiting.prompt.get().open).toBe(true);
  other.accepted();
  await asked;
  expect([waiting.current(), waiting.prompt.get().open]).toEqual(["k1", false]);
});

it("removes the key from all tabs that use it when the user signs out, and notifies them", async () => {
  const { signedIn } = browser();
  const told: string[] = [];
  const opened = (key: string, name: string) => signedIn(key, () => void told.push(name));
  const [tab, same, different] = [opened("k1", "tab"), opened("k1", "same"), opened("k2", "different")];
  tab.forget();
  await settled();
  expect([tab.current(), same.current(), different.current()]).toEqual([undefined, undefined, "k2"]);
  expect(told).toEqual(["same"]);
});
