import { useEffect, useRef } from "react";
import type { PlanView } from "../api/api-types.ts";
import { setSearchFields, useSearchField } from "../router/use-route.ts";
import { HISTORY_FIELD, OLD_HISTORY_FIELD } from "./history-fields.ts";
import { useServices } from "../shell/services.ts";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";

export type History = {
  /** The number of the event up to which the plan is shown; absent when it is shown live. */
  readonly seq: number | undefined;
  /** The plan at that event; while it loads, the view shown last. */
  readonly view: PlanView;
  readonly goTo: (seq: number | undefined) => void;
};

/** The event in the address, up to which the plan is shown; undefined when it is shown live. */
export function useHistoryField(): string | undefined {
  const [field] = useSearchField(HISTORY_FIELD);
  const [old] = useSearchField(OLD_HISTORY_FIELD);
  return field ?? old;
}

/** The plan after the event in the address, so that links can lead there. */
export function useHistory(view: PlanView): History {
  const { gateway } = useServices();
  const seq = readSeq(useHistoryField(), view.seq);
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
    goTo: (to) =>
      setSearchFields({
        [HISTORY_FIELD]: to === undefined ? undefined : String(to),
        [OLD_HISTORY_FIELD]: undefined,
      }),
  };
}

function readSeq(field: string | undefined, last: number): number | undefined {
  if (field === undefined || !/^\d{1,9}$/.test(field)) return undefined;
  return Math.min(Math.max(1, Number(field)), Math.max(1, last));
}
