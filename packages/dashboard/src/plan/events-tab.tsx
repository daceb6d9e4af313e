import { memo, useState } from "react";
import type { Json, NumberedEvent } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatDateTime, formatDuration } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { JsonView } from "../values/json-view.tsx";
import { describeEvent } from "./describe-event.ts";
import { planLogOf } from "./plan-log.ts";
import type { TabProps } from "./plan-tabs.tsx";
import { Loading } from "../ui/loading.tsx";

const ROWS_STEP = 300;
/** Each reading fetches what is new: it may be made as often as a reader sees a difference. */
const RELOAD_MS = 50;

/** The plan's log, fact by fact, the newest first. */
export function EventsTab({ view }: TabProps) {
  const { gateway } = useServices();
  const [shown, setShown] = useState(ROWS_STEP);
  const { read } = planLogOf(gateway, view.planId);
  const loaded = useLoaded(view.planId, view.seq, read, { reloadMs: RELOAD_MS, insists: true });
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  if (loaded.phase === "loading") return <Loading className="tab-loading" what="Loading the events" />;
  if (loaded.value.length === 0) return <Notice icon="inbox" title="No events yet" />;
  const newest = loaded.value.toReversed();
  return (
    <div className="events">
      {newest.slice(0, shown).map((numbered) => (
        <EventRow key={numbered.seq} numbered={numbered} startMs={Date.parse(view.submittedAt)} />
      ))}
      {newest.length > shown && (
        <button type="button" className="button button-quiet" onClick={() => setShown(shown + ROWS_STEP)}>
          Show older events
        </button>
      )}
    </div>
  );
}

type RowProps = { readonly numbered: NumberedEvent; readonly startMs: number };

/** A fact does not change: it is drawn once. */
const EventRow = memo(function EventRow({ numbered: { seq, event }, startMs }: RowProps) {
  const [open, setOpen] = useState(false);
  const sinceMs = Math.max(0, Date.parse(event.at) - startMs);
  return (
    <details
      className="event"
      data-testid="event"
      data-seq={seq}
      onToggle={(toggle) => setOpen(toggle.currentTarget.open)}
    >
      <summary>
        <span className="event-seq">{seq}</span>
        <span className="event-time" title={formatDateTime(event.at)}>
          +{sinceMs < 1 ? "0 ms" : formatDuration(sinceMs)}
        </span>
        <code className="event-type">{event.type}</code>
        <span className="event-words">{describeEvent(event)}</span>
      </summary>
      {/* An event is JSON that came from the gateway; its type says more than JSON's own. */}
      {open && <JsonView value={event as unknown as Json} />}
    </details>
  );
});
