import { useSystemInfo } from "../shell/services.ts";
import { VIEWER_LINK } from "./trace-words.ts";

const KNOWN: readonly (readonly [name: string, form: RegExp])[] = [
  ["Jaeger", /jaeger|:16686\b/i],
  ["Grafana", /grafana|\/explore\b|:3000\b/i],
  ["Zipkin", /zipkin|:9411\b/i],
];
const TRACE_ID = /^[0-9a-f]{32}$/;

/** Links to the trace in another viewer; renders nothing where none is configured. */
export function ViewerLink({ traceId, className }: { traceId: string; className?: string }) {
  const viewer = viewerOf(useSystemInfo()?.traces.url, traceId);
  if (viewer === undefined) return null;
  return (
    <a className={className} href={viewer.href} target="_blank" rel="noopener noreferrer">
      {VIEWER_LINK.openIn(viewer.name)}
    </a>
  );
}

/** Another trace viewer, at the address from the gateway's settings. */
type Viewer = { readonly name: string; readonly href: string };

/** Undefined when there is none, or when its address is not a web address. */
export function viewerOf(template: string | undefined, traceId: string): Viewer | undefined {
  if (template === undefined || !TRACE_ID.test(traceId)) return undefined;
  const url = URL.parse(template.replaceAll("{traceId}", traceId));
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const [name = url.host] = KNOWN.find(([, form]) => form.test(template)) ?? [];
  return { name, href: url.href };
}
