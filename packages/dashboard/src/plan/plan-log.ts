/** The log of the plan that is looked at, read once for all parts of the page that need it. */
import { useMemo } from "react";
import type { NumberedEvent, PlanView } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { useServices } from "../shell/services.ts";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";
import { createEventLog } from "./create-event-log.ts";

type Log = {
  readonly planId: string;
  readonly read: (signal: AbortSignal) => Promise<readonly NumberedEvent[]>;
};

/** Of each gateway the log that was read last. */
const LOGS = new WeakMap<Gateway, Log>();

/**
 * The facts that the view takes in, the oldest first; when the plan is shown as it was, only those of then.
 *
 * @param wanted - False where there is no need of them after all: then there are none, and nothing is read.
 */
export function usePlanLog(
  { planId, seq }: Pick<PlanView, "planId" | "seq">,
  wanted = true,
): Loaded<readonly NumberedEvent[]> {
  const { gateway } = useServices();
  const loaded = useLoaded(
    wanted ? planId : "",
    wanted ? seq : 0,
    async (signal) => (wanted ? planLogOf(gateway, planId).read(signal) : []),
    { insists: true },
  );
  return useMemo(() => {
    if (loaded.phase !== "ready") return loaded;
    const last = loaded.value.at(-1)?.seq ?? 0;
    if (last <= seq) return loaded;
    return { ...loaded, value: loaded.value.filter((numbered) => numbered.seq <= seq) };
  }, [loaded, seq]);
}

/** All facts there are, also those after a view of the past; each reading goes on where the one before it ended. */
export function planLogOf(gateway: Gateway, planId: string): Log {
  const known = LOGS.get(gateway);
  if (known?.planId === planId) return known;
  const { read } = createEventLog(gateway, planId);
  // One reading goes on where the one before it ended: two at once would read the same facts twice.
  let before: Promise<unknown> = Promise.resolve();
  const log: Log = {
    planId,
    read: (signal) => {
      const reading = before.then(() => read(signal));
      before = reading.catch(() => undefined);
      return reading;
    },
  };
  LOGS.set(gateway, log);
  return log;
}
