import { expect, it } from "vitest";
import { oneTab } from "./one-tab.ts";

type Page = { visibilityState: "visible" | "hidden" } & EventTarget;

/** The part of a browser's locks that tabs use. */
function browserLocks() {
  const held: { readonly name: string; readonly mode: LockMode }[] = [];
  const waiting: (() => void)[] = [];
  const retry = () => {
    for (const attempt of waiting.splice(0)) attempt();
  };
  const request = (name: string, options: LockOptions, use: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
      const attempt = () => {
        const isTaken = held.some((one) => one.name === name && "exclusive" === options.mode);
        if (isTaken) return void waiting.push(attempt);
        const lock = { name, mode: options.mode ?? "exclusive" };
        held.push(lock);
        void use().then(() => {
          held.splice(held.indexOf(lock), 1);
          resolve();
          retry();
        });
      };
      attempt();
    });
  const query = () => Promise.resolve({ held, pending: [] });
  return { request, query } as unknown as LockManager;
}

function tabOf(user: string, locks: LockManager | undefined, visibilityState: Page["visibilityState"]) {
  const page: Page = Object.assign(new EventTarget(), { visibilityState });
  const tab = oneTab(user, { locks, page });
  return {
    ...tab,
    turn: async (state: Page["visibilityState"]) => {
      page.visibilityState = state;
      page.dispatchEvent(new Event("visibilitychange"));
      await Promise.resolve();
    },
  };
}

it("lets one of several hidden tabs notify, and another one once that is closed", async () => {
  const locks = browserLocks();
  const [first, second] = [tabOf("ann", locks, "hidden"), tabOf("ann", locks, "hidden")];
  expect([await first.mayNotify(), await second.mayNotify()]).toEqual([true, false]);
  first.stop();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(await second.mayNotify()).toBe(true);
});

it("lets none notify while one of the user's tabs is visible", async () => {
  const locks = browserLocks();
  const hidden = tabOf("ann", locks, "hidden");
  const seen = tabOf("ann", locks, "visible");
  tabOf("bob", locks, "visible");
  expect([await hidden.mayNotify(), await seen.mayNotify()]).toEqual([false, false]);
  await seen.turn("hidden");
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(await hidden.mayNotify()).toBe(true);
  await seen.turn("visible");
  expect(await hidden.mayNotify()).toBe(false);
});

it("lets each hidden tab notify where there are no locks", async () => {
  const tab = tabOf("ann", undefined, "hidden");
  expect(await tab.mayNotify()).toBe(true);
  await tab.turn("visible");
  expect(await tab.mayNotify()).toBe(false);
});
