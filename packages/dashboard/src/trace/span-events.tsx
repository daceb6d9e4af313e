import type { Span, SpanAttributes } from "../api/api-types.ts";
import { formatDuration } from "../ui/format.ts";
import { AttributeTable } from "./attribute-table.tsx";
import { SPAN_EVENTS } from "./trace-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import spanDetailsStyles from "./span-details.module.css";
import traceStyles from "./trace.module.css";

const EVENTS_SHOWN = 50;
const STACK = "exception.stacktrace";
const STACK_CHARS_MAX = 20_000;

/** What happened within a span; of an exception also where. */
export function SpanEvents({ span }: { span: Span }) {
  if (span.events.length === 0) return null;
  return (
    <>
      <h4>{SPAN_EVENTS.events}</h4>
      <ol className={spanDetailsStyles.spanEvents}>
        {span.events.slice(0, EVENTS_SHOWN).map((event, index) => (
          // Events have no ID and never change their order.
          <li key={index}>
            <p>
              <strong>{event.name}</strong>{" "}
              <span className={traceStyles.muted}>
                +{formatDuration(sinceStart(span, event.timeUnixNano))}
              </span>
            </p>
            <EventAttributes attributes={event.attributes} />
          </li>
        ))}
      </ol>
      {span.events.length > EVENTS_SHOWN && (
        <p className={traceStyles.muted}>{COMMON.andMore(span.events.length - EVENTS_SHOWN)}</p>
      )}
    </>
  );
}

function EventAttributes({ attributes }: { attributes: SpanAttributes }) {
  const { [STACK]: stack, ...rest } = attributes;
  return (
    <>
      {Object.keys(rest).length > 0 && <AttributeTable attributes={rest} />}
      {typeof stack === "string" && (
        <details>
          <summary>{SPAN_EVENTS.stack}</summary>
          <pre tabIndex={0} aria-label={SPAN_EVENTS.stack}>
            {stack.slice(0, STACK_CHARS_MAX)}
          </pre>
        </details>
      )}
    </>
  );
}

function sinceStart({ startTimeUnixNano }: Span, timeUnixNano: string): number {
  return Math.max(0, Number(BigInt(timeUnixNano) - BigInt(startTimeUnixNano)) / 1e6);
}
