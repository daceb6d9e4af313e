/** Another viewer of traces, by the address that the gateway's setting gives. */
export type Viewer = { readonly name: string; readonly href: string };

const KNOWN: readonly (readonly [name: string, form: RegExp])[] = [
  ["Jaeger", /jaeger|:16686\b/i],
  ["Grafana", /grafana|\/explore\b|:3000\b/i],
  ["Zipkin", /zipkin|:9411\b/i],
];
const TRACE_ID = /^[0-9a-f]{32}$/;

/** Undefined when there is none, or when its address is not one of the web. */
export function viewerOf(template: string | undefined, traceId: string): Viewer | undefined {
  if (template === undefined || !TRACE_ID.test(traceId)) return undefined;
  const url = URL.parse(template.replaceAll("{traceId}", traceId));
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const [name = url.host] = KNOWN.find(([, form]) => form.test(template)) ?? [];
  return { name, href: url.href };
}
