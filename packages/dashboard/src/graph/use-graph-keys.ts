import type { FocusEvent, KeyboardEvent } from "react";
import { useKeys } from "../keys/use-keys.ts";
import type { Store } from "../ui/create-store.ts";
import type { Marks } from "./graph-marks.ts";
import type { Direction } from "./layout-types.ts";
import { nextNode } from "./next-node.ts";
import type { Topology } from "./topology.ts";
import type { GraphFocus } from "./use-graph-focus.ts";
import type { Positions } from "./use-layout.ts";
import { USE_GRAPH_KEYS } from "./graph-words.ts";

type Options = {
  readonly topology: Topology;
  readonly positions: Positions | undefined;
  readonly direction: Direction;
  readonly focus: GraphFocus;
  readonly marks: Store<Marks>;
};

/** The graph by keyboard: one of its nodes can be reached with the tabulator key, the others from there with the arrows. */
export function useGraphKeys({ topology, positions, direction, focus, marks }: Options) {
  const across = direction === "LR";
  useKeys([
    {
      keys: across ? "ArrowRight ArrowLeft" : "ArrowDown ArrowUp",
      label: USE_GRAPH_KEYS.across,
    },
    {
      keys: across ? "ArrowUp ArrowDown" : "ArrowLeft ArrowRight",
      label: USE_GRAPH_KEYS.along,
    },
    { keys: "Home End", label: USE_GRAPH_KEYS.ends },
  ]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const from = nodeOf(event.target);
    if (from === undefined || positions === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const next = nextNode(event.key, from, { topology, positions, direction });
    if (next === undefined && !/^(Arrow\w+|Home|End)$/.test(event.key)) return;
    // Also where nothing lies further: the page must not jump away under the reader.
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return;
    const drawn = event.currentTarget.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`);
    if (drawn !== null) return drawn.focus({ preventScroll: true });
    marks.set({ ...marks.get(), awaited: next });
    focus.goTo({ id: next, centred: false });
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const id = nodeOf(event.target);
    if (id === undefined) return;
    marks.set({ ...marks.get(), awaited: undefined });
    if (!event.target.matches(":focus-visible")) return focus.settleAt(id);
    focus.goTo({ id, centred: false });
    event.currentTarget.scrollIntoView({ block: "nearest" });
  };
  return { onKeyDown, onFocus };
}

function nodeOf(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset["node"] : undefined;
}
