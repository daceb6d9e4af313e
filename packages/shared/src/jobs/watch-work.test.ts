import { expect, it, vi } from "vitest";
import { watchWanted } from "./watch-work.ts";

function watched(answers: readonly (boolean | Error)[]) {
  let hint: () => void = () => undefined;
  const left = [...answers];
  const onUnwanted = vi.fn<() => void>();
  const onFault = vi.fn<(error: unknown) => void>();
  const isWanted = vi.fn<() => Promise<boolean>>(async () => {
    const answer = left.shift() ?? true;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const watch = watchWanted({
    onHint(look) {
      hint = look;
      return () => (hint = () => undefined);
    },
    isWanted,
    onUnwanted,
    onFault,
    againMs: 1,
  });
  return { hint: () => hint(), onUnwanted, onFault, isWanted, watch };
}

it("reports that work is no longer needed when the log confirms the hint", async () => {
  const t = watched([true, false]);
  t.hint();
  await vi.waitFor(() => expect(t.isWanted).toHaveBeenCalledTimes(1));
  expect(t.onUnwanted).not.toHaveBeenCalled();
  t.hint();
  await vi.waitFor(() => expect(t.onUnwanted).toHaveBeenCalledOnce());
});

it("reads the log again while it cannot be read", async () => {
  const lost = new Error("the log does not answer");
  const t = watched([lost, lost, false]);
  t.hint();
  await vi.waitFor(() => expect(t.onUnwanted).toHaveBeenCalledOnce());
  expect(t.onFault).not.toHaveBeenCalled();
});

it("stops after several failed reads and reports the error", async () => {
  const lost = new Error("the log does not answer");
  const t = watched(Array.from({ length: 100 }, () => lost));
  t.hint();
  await vi.waitFor(() => expect(t.onFault).toHaveBeenCalledExactlyOnceWith(lost));
  expect(t.isWanted).toHaveBeenCalledTimes(60);
});

it("reports nothing after it was disposed, even during a read", async () => {
  const t = watched([new Error("the log does not answer"), false]);
  t.hint();
  await vi.waitFor(() => expect(t.isWanted).toHaveBeenCalledTimes(1));
  t.watch[Symbol.dispose]();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([t.onUnwanted.mock.calls, t.onFault.mock.calls, t.isWanted.mock.calls.length]).toEqual([[], [], 1]);
});
