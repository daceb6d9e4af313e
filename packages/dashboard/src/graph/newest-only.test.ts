import { expect, it } from "vitest";
import { newestOnly } from "./newest-only.ts";

function stage() {
  const begun: { request: number; end: (result: string) => void; fail: (error: Error) => void }[] = [];
  const ask = newestOnly((request: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    begun.push({ request, end: resolve, fail: reject });
    return promise;
  });
  return { ask, begun };
}

it("runs the first request, then the newest, and none in between", async () => {
  const { ask, begun } = stage();
  const answers = [1, 2, 3, 4].map(ask);
  expect(await answers[1]).toBeUndefined();
  expect(await answers[2]).toBeUndefined();
  begun[0]?.end("one");
  expect(await answers[0]).toBe("one");
  await expect.poll(() => begun.map(({ request }) => request)).toEqual([1, 4]);
  begun[1]?.end("four");
  expect(await answers[3]).toBe("four");
  const later = ask(5);
  begun[2]?.end("five");
  expect(await later).toBe("five");
});

it("runs the next request after a request fails", async () => {
  const { ask, begun } = stage();
  const [first, second] = [ask(1), ask(2)];
  begun[0]?.fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await expect.poll(() => begun).toHaveLength(2);
  begun[1]?.end("two");
  expect(await second).toBe("two");
});
