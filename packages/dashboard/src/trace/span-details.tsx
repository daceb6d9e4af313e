import { Fragment } from "react";
import type { Span, SpanAttributes } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { COMMON } from "../ui/ui-words.ts";
import { AttributeTable } from "./attribute-table.tsx";
import { Chip } from "./chip.tsx";
import type { SpanRow } from "./span-tree.ts";
import { planOfSpan, stepOfSpan } from "./step-of-span.ts";
import { SPAN_DETAILS, SPAN_EVENTS, SPAN_LINKS } from "./trace-words.ts";
import { ViewerLink } from "./viewer-link.tsx";

const LINKS_SHOWN = 50;

const EVENTS_SHOWN = 50;
const STACK = "exception.stacktrace";
const STACK_CHARS_MAX = 20_000;

type Props = {
  readonly row: SpanRow;
  /** All spans of the trace. */
  readonly rows: readonly SpanRow[];
  readonly planId: string;
  readonly onChoose: (spanId: string | undefined) => void;
  readonly onSelectStep: (id: string) => void;
};

/** All details of a span. */
export function SpanDetails({ row, rows, planId, onChoose, onSelectStep }: Props) {
  const { span } = row;
  return (
    <section
      className="flex min-w-0 flex-col gap-2.5 border-t border-line px-4 py-3 text-sm wrap-anywhere @min-[980px]:max-h-[calc(min(72vh,900px)+20px)] @min-[980px]:overflow-auto @min-[980px]:border-t-0 @min-[980px]:border-l"
      aria-label={SPAN_DETAILS.span(span.name)}
      data-testid="span-details"
    >
      <header className="flex items-start justify-between gap-2">
        <h3 className="text-base">{span.name}</h3>
        <IconButton icon="close" label={SPAN_DETAILS.closeSpan} onClick={() => onChoose(undefined)} />
      </header>
      {span.status === "error" && (
        <p className="problem">
          <Icon name="failed" />
          <span>
            {SPAN_DETAILS.failed}
            {span.statusMessage === undefined || span.statusMessage === "" ? "" : `: ${span.statusMessage}`}
          </span>
        </p>
      )}
      <dl className="facts">
        {factsOf(row, rows).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{SPAN_DETAILS.spanId}</dt>
          <dd>
            <code>{span.spanId}</code> <CopyButton text={span.spanId} label={SPAN_DETAILS.copySpanId} />
          </dd>
        </div>
      </dl>
      <Belongs span={span} planId={planId} onSelectStep={onSelectStep} />
      <h4>{SPAN_DETAILS.attributes}</h4>
      <AttributeTable attributes={span.attributes} />
      <SpanEvents span={span} />
      <SpanLinks
        span={span}
        planId={planId}
        isHere={(spanId) => rows.some((other) => other.span.spanId === spanId)}
        onChoose={onChoose}
      />
      <Left span={span} />
    </section>
  );
}

function factsOf(row: SpanRow, rows: readonly SpanRow[]): [string, string][] {
  const { span, startMs, durationMs, below, isCritical } = row;
  return [
    [SPAN_DETAILS.service, span.service],
    [SPAN_DETAILS.kind, span.kind],
    [SPAN_DETAILS.started, `+${formatDuration(startMs)}`],
    [SPAN_DETAILS.duration, formatDuration(durationMs)],
    [SPAN_DETAILS.selfTime, below === 0 ? SPAN_DETAILS.allSelf : formatDuration(selfTimeMs(rows, row))],
    [SPAN_DETAILS.criticalPath, isCritical ? "yes" : "no"],
  ];
}

/** The step and the plan that the span belongs to. */
function Belongs({ span, planId, onSelectStep }: { span: Span } & Pick<Props, "planId" | "onSelectStep">) {
  const step = stepOfSpan(span);
  const plan = planOfSpan(span) ?? planId;
  if (plan !== planId) {
    const at = step === undefined ? "" : `&step=${encodeURIComponent(step)}`;
    return (
      <p>
        {SPAN_DETAILS.of}{" "}
        <Link href={`/plans/${encodeURIComponent(plan)}?tab=trace${at}`}>{SPAN_DETAILS.anotherPlan}</Link>
        {step !== undefined && (
          <>
            {SPAN_DETAILS.step} <code>{step}</code>
          </>
        )}
      </p>
    );
  }
  if (step === undefined) return null;
  return (
    <p>
      {SPAN_DETAILS.ofStep} <Chip onClick={() => onSelectStep(step)}>{step}</Chip>
    </p>
  );
}

function Left({ span: { dropped } }: { span: Span }) {
  if (dropped === undefined) return null;
  const parts = Object.entries(dropped).filter(([, count]) => count > 0);
  return (
    <p className="text-faint">
      {SPAN_DETAILS.droppedBySender}{" "}
      {parts.map(([name, count], index) => (
        <Fragment key={name}>
          {index > 0 && ", "}
          {count} {name}
        </Fragment>
      ))}
      .
    </p>
  );
}

/** The events of a span; for an exception, with its stack trace. */
function SpanEvents({ span }: { span: Span }) {
  if (span.events.length === 0) return null;
  return (
    <>
      <h4>{SPAN_EVENTS.events}</h4>
      <ol className="grid gap-2">
        {span.events.slice(0, EVENTS_SHOWN).map((event, index) => (
          // Events have no ID and never change their order.
          <li key={index}>
            <p>
              <strong>{event.name}</strong>{" "}
              <span className="text-faint">+{formatDuration(sinceStart(span, event.timeUnixNano))}</span>
            </p>
            <EventAttributes attributes={event.attributes} />
          </li>
        ))}
      </ol>
      {span.events.length > EVENTS_SHOWN && (
        <p className="text-faint">{COMMON.andMore(span.events.length - EVENTS_SHOWN)}</p>
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
          <pre
            className="max-h-[300px] overflow-auto rounded-md bg-sunken p-2 text-xs"
            tabIndex={0}
            aria-label={SPAN_EVENTS.stack}
          >
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

/** The part of a span's time during which no descendant was running. Descendants may overlap or outlast the span. */
export function selfTimeMs(rows: readonly SpanRow[], row: SpanRow): number {
  const index = rows.indexOf(row);
  const endMs = row.startMs + row.durationMs;
  let self = 0;
  let at = row.startMs;
  const below = rows.slice(index + 1, index + 1 + row.below);
  for (const other of below.toSorted((left, right) => left.startMs - right.startMs)) {
    if (other.startMs >= endMs) break;
    if (other.startMs > at) self += other.startMs - at;
    at = Math.max(at, Math.min(other.startMs + other.durationMs, endMs));
  }
  return self + Math.max(0, endMs - at);
}

type SpanLinksProps = {
  readonly span: Span;
  readonly planId: string;
  readonly isHere: (spanId: string) => boolean;
  readonly onChoose: (spanId: string) => void;
};

type SpanLink = Span["links"][number];

/** The span's links: the message that it processes, the steps that it joins, the plan that it was forked from. */
function SpanLinks(props: SpanLinksProps) {
  const { links } = props.span;
  if (links.length === 0) return null;
  return (
    <>
      <h4>{SPAN_LINKS.linkedTo}</h4>
      <ul className="grid gap-2">
        {links.slice(0, LINKS_SHOWN).map((link, index) => (
          // A span can be linked twice.
          <li key={index}>
            <Target {...props} link={link} />
          </li>
        ))}
      </ul>
      {links.length > LINKS_SHOWN && (
        <p className="text-faint">{COMMON.andMore(links.length - LINKS_SHOWN)}</p>
      )}
    </>
  );
}

function Target({ span, planId, link, isHere, onChoose }: SpanLinksProps & { readonly link: SpanLink }) {
  const id = <code>{link.spanId}</code>;
  if (link.traceId === span.traceId && isHere(link.spanId)) {
    return (
      <Chip onClick={() => onChoose(link.spanId)}>
        {SPAN_LINKS.span} {id}
      </Chip>
    );
  }
  const plan = link.attributes?.["plan.id"];
  return (
    <>
      {SPAN_LINKS.span} {id}
      {link.traceId === span.traceId ? SPAN_LINKS.notReceived : SPAN_LINKS.ofAnotherTrace}
      {typeof plan === "string" && plan !== planId && (
        <>
          ,{" "}
          <Link href={`/plans/${encodeURIComponent(plan)}?tab=trace&span=${link.spanId}`}>
            {SPAN_LINKS.ofAnotherPlan}
          </Link>
        </>
      )}{" "}
      {link.traceId !== span.traceId && <ViewerLink traceId={link.traceId} />}
    </>
  );
}
