import { useEffect, useRef } from "react";
import type { PlanView } from "../api/api-types.ts";
import { useSearchField } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";

export type Replay = {
  /** The number of the fact up to which the plan is shown; absent when it is shown as it is now. */
  readonly seq: number | undefined;
  /** The plan then; while it is read, as it was shown last. */
  readonly view: PlanView;
  readonly goTo: (seq: number | undefined) => void;
};

/** The plan as it was after the fact that the address names, so that a link leads there too. */
export function useReplay(view: PlanView): Replay {
  const { gateway } = useServices();
  const [field, setField] = useSearchField("seq");
  const seq = readSeq(field, view.seq);
  const subject = seq === undefined ? "" : `${view.planId}@${seq}`;
  const loaded: Loaded<PlanView | undefined> = useLoaded(subject, 0, async (signal) =>
    seq === undefined ? undefined : gateway.planAt(view.planId, seq, signal),
  );
  const then = loaded.phase === "ready" ? loaded.value : undefined;
  const shown = useRef(then);
  useEffect(() => {
    if (then !== undefined || seq === undefined) shown.current = then;
  }, [then, seq]);
  const past = then ?? shown.current ?? view;
  return {
    seq,
    view: seq === undefined ? view : past,
    goTo: (to) => setField(to === undefined ? undefined : String(to)),
  };
}

function readSeq(field: string | undefined, last: number): number | undefined {
  if (field === undefined || !/^\d{1,9}$/.test(field)) return undefined;
  return Math.min(Math.max(1, Number(field)), Math.max(1, last));
}
