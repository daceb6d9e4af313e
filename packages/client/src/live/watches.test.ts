import type { ServerMessage } from "@planwright/api";
import { expect, it } from "vitest";
import { createWatches } from "./watches.ts";

it("tells a listener to read the plan where events cannot be delivered one by one (LIVE-2)", () => {
  const watches = createWatches(() => undefined);
  const heard: unknown[] = [];
  const listener = {
    onEvent: ({ seq }: { seq: number }) => heard.push(seq),
    onBehind: () => heard.push("behind"),
  };
  const receive = (message: object) => watches.receive({ planId: "p1", ...message } as ServerMessage);
  watches.join("p1", 0, listener);
  receive({ type: "event", seq: 1, event: {} });
  receive({ type: "resync", plan: { seq: 5 } });
  receive({ type: "event", seq: 6, event: {} });
  receive({ type: "changes", after: 6, seq: 8, changes: [] });
  expect(heard).toEqual([1, "behind", 6, "behind"]);

  // The watch is already past the event from which the other listener starts.
  const late: unknown[] = [];
  watches.join("p1", 2, { onEvent: () => late.push("event"), onBehind: () => late.push("behind") });
  expect(late).toEqual(["behind"]);
});
