import type { Span } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { ViewerLink } from "./viewer-link.tsx";
import { SPAN_LINKS } from "./trace-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import spanDetailsStyles from "./span-details.module.css";
import traceStyles from "./trace.module.css";

const LINKS_SHOWN = 50;

type Props = {
  readonly span: Span;
  readonly planId: string;
  readonly isHere: (spanId: string) => boolean;
  readonly onChoose: (spanId: string) => void;
};

type SpanLink = Span["links"][number];

/** What else a span has to do with: the message it works on, the steps it joins, the plan it was forked from. */
export function SpanLinks(props: Props) {
  const { links } = props.span;
  if (links.length === 0) return null;
  return (
    <>
      <h4>{SPAN_LINKS.linkedTo}</h4>
      <ul className={spanDetailsStyles.spanLinks}>
        {links.slice(0, LINKS_SHOWN).map((link, index) => (
          // A span may be linked to twice.
          <li key={index}>
            <Target {...props} link={link} />
          </li>
        ))}
      </ul>
      {links.length > LINKS_SHOWN && (
        <p className={traceStyles.muted}>{COMMON.andMore(links.length - LINKS_SHOWN)}</p>
      )}
    </>
  );
}

function Target({ span, planId, link, isHere, onChoose }: Props & { readonly link: SpanLink }) {
  const id = <code>{link.spanId}</code>;
  if (link.traceId === span.traceId && isHere(link.spanId)) {
    return (
      <button type="button" className="chip" onClick={() => onChoose(link.spanId)}>
        {SPAN_LINKS.span} {id}
      </button>
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
