import type { ServerMessage } from "@planwright/api";
import { expect, it } from "vitest";
import { createListWatch } from "./list-watch.ts";

const NEWS: ServerMessage = { type: "plans", plans: [], removed: [], more: true };

function watching() {
  const sent: string[] = [];
  const heard: string[] = [];
  const watch = createListWatch((type) => {
    sent.push(type);
    return `l${sent.length}`;
  });
  const listener = (name: string) => ({
    onPlans: ({ more }: { readonly more: boolean }) => heard.push(`${name} more=${more}`),
    onBehind: () => heard.push(`${name} behind`),
  });
  return { sent, heard, watch, one: listener("one"), two: listener("two") };
}

it("sends one request for all listeners, and another one when the last listener leaves", () => {
  const { sent, heard, watch, one, two } = watching();
  watch.join(one);
  watch.join(two);
  watch.receive(NEWS);
  watch.leave(one);
  watch.receive(NEWS);
  expect(sent).toEqual(["watch-plans"]);
  watch.leave(two);
  watch.leave(two);
  expect(sent).toEqual(["watch-plans", "unwatch-plans"]);
  expect(watch.isEmpty()).toBe(true);
  expect(heard).toEqual(["one more=true", "two more=true", "two more=true"]);
});

it("reports that the list may be out of date whenever a watch begins, including on a new connection", () => {
  const { sent, heard, watch, one } = watching();
  watch.resume();
  expect(sent).toEqual([]);
  watch.join(one);
  watch.receive({ type: "ok", id: "other" });
  expect(heard).toEqual([]);
  watch.receive({ type: "ok", id: "l1" });
  watch.resume();
  watch.receive({ type: "ok", id: "l1" });
  expect(heard).toEqual(["one behind"]);
  watch.receive({ type: "ok", id: "l2" });
  expect(heard).toEqual(["one behind", "one behind"]);
});
