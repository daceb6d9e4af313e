import { eventText } from "@planwright/plan/event-text";
import { memo, useMemo, useState } from "react";
import type { Json, NumberedEvent } from "../api/api-types.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { useServices } from "../shell/services.ts";
import { formatCount, formatDateTime, formatDuration } from "../ui/format.ts";
import { Loading, Notice } from "../ui/notice.tsx";
import { Pager, partsOf } from "../ui/pager.tsx";
import { Problem } from "../ui/problem.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { JsonView } from "../values/json-view.tsx";
import { planLogOf } from "./plan-log.ts";
import type { TabProps } from "./plan-tabs.tsx";
import { SEARCH_FIELD, SEARCH_LINE } from "./step-search-field.tsx";
import { EVENTS_TAB } from "./plan-words.ts";

/** Rows drawn at a time; the search covers all of them. */
const ROWS_PART = 300;
/** A shorter log has no search field. */
const SEARCHED_MIN = 20;
/** Each read fetches only new events, so it can run as often as a reader can notice. */
const RELOAD_MS = 50;

/** The plan's log, event by event, newest first. */
export function EventsTab({ view }: TabProps) {
  const { gateway } = useServices();
  const { read } = planLogOf(gateway, view.planId);
  const loaded = useLoaded(view.planId, view.seq, read, { reloadMs: RELOAD_MS, insists: true });
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  if (loaded.phase === "loading") return <Loading className="tab-loading" what={EVENTS_TAB.loadingEvents} />;
  if (loaded.value.length === 0) return <EmptyState of="events" />;
  return <Events all={loaded.value} startMs={Date.parse(view.submittedAt)} />;
}

function Events({ all, startMs }: { all: readonly NumberedEvent[]; startMs: number }) {
  const [text, setText] = useState("");
  // Counted from the oldest, so that the part on screen stays in place while the log grows. Undefined: the newest part.
  const [wanted, setWanted] = useState<number>();
  const found = useMemo(() => findEvents(text, all), [text, all]);
  const parts = partsOf(found.length, ROWS_PART);
  const newest = parts.length - 1;
  const at = Math.min(wanted ?? newest, newest);
  const part = parts[at] ?? { first: 0, end: 0 };
  const rows = found.slice(part.first, part.end).toReversed();
  return (
    <>
      {(all.length > SEARCHED_MIN || text !== "") && (
        <search className={SEARCH_LINE}>
          <input
            className={SEARCH_FIELD}
            type="search"
            aria-label={EVENTS_TAB.searchEvents}
            placeholder={EVENTS_TAB.searchHint}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <span role="status">
            {text !== "" &&
              EVENTS_TAB.of(found.length.toLocaleString("en"), formatCount(all.length, "event"))}
          </span>
        </search>
      )}
      {rows.length === 0 && <Notice icon="search" title={EVENTS_TAB.noMatchingEvents} />}
      <div className="grid max-h-140 overflow-y-auto text-sm" key={wanted ?? "newest"}>
        {rows.map((numbered) => (
          <EventRow key={numbered.seq} numbered={numbered} startMs={startMs} />
        ))}
      </div>
      <Pager
        label={EVENTS_TAB.eventPages}
        words={[EVENTS_TAB.newest, EVENTS_TAB.newer, EVENTS_TAB.older, EVENTS_TAB.oldest]}
        at={newest - at}
        parts={parts.length}
        shown={{ first: found.length - part.end, end: found.length - part.first }}
        rows={found.length}
        onGo={(to) => setWanted(to === 0 ? undefined : newest - to)}
      />
    </>
  );
}

type RowProps = { readonly numbered: NumberedEvent; readonly startMs: number };

/** An event does not change: it is rendered once. */
const EventRow = memo(function EventRow({ numbered: { seq, event }, startMs }: RowProps) {
  const [open, setOpen] = useState(false);
  const sinceMs = Math.max(0, Date.parse(event.at) - startMs);
  return (
    <details data-testid="event" data-seq={seq} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary className="grid cursor-pointer grid-cols-[44px_84px_150px_minmax(0,1fr)] gap-2.5 border-b border-line px-3.5 py-1.5 hover:bg-sunken focus-visible:-outline-offset-2 max-lg:grid-cols-[34px_minmax(0,1fr)_76px]">
        <span className="text-right text-faint tabular-nums">{seq}</span>
        <span
          className="text-right text-faint tabular-nums max-lg:col-start-3 max-lg:row-start-1"
          title={formatDateTime(event.at)}
        >
          +{sinceMs < 1 ? EVENTS_TAB.zero : formatDuration(sinceMs)}
        </span>
        <code data-part="event-type">{event.type}</code>
        <span className="truncate text-soft max-lg:col-[2/-1] max-lg:whitespace-normal">
          {eventText(event)}
        </span>
      </summary>
      {/* An event is JSON from the gateway; its type says more than JSON's own. */}
      {open && (
        <div className="mx-3.5 mt-2 mb-3">
          <JsonView value={event as unknown as Json} />
        </div>
      )}
    </details>
  );
});

/** The events whose type or text contains all the words, in their order; every event if there are no words. */
function findEvents(text: string, events: readonly NumberedEvent[]): readonly NumberedEvent[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return events;
  return events.filter(({ seq, event }) => {
    const said = `${seq} ${event.type} ${eventText(event)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
