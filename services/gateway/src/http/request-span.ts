import {
  newTraceIds,
  parseTraceParent,
  type PlanSampler,
  type RandomBytes,
  type Span,
  type SpanAttributes,
  type Telemetry,
} from "@planwright/shared/telemetry";

export type RequestSpanDeps = {
  readonly telemetry: Telemetry;
  readonly sampler: PlanSampler;
  readonly random: RandomBytes;
};

/**
 * Starts the span of a request that submits a plan: in the caller's trace if it sent one, otherwise in a new one. This decides
 * whether the plan is traced.
 */
export function startRequestSpan(
  { telemetry, sampler, random }: RequestSpanDeps,
  {
    name,
    traceparent,
    attributes,
  }: { readonly name: string; readonly traceparent: string | undefined; readonly attributes: SpanAttributes },
): Span {
  const caller = parseTraceParent(traceparent);
  const ids = caller ?? newTraceIds({ sampled: false, random });
  const sampled = sampler.sample(ids.traceId);
  const options = { kind: "server", attributes } as const;
  return caller === undefined
    ? telemetry.rootSpan({ ...ids, sampled }, name, options)
    : telemetry.spanFrom({ ...ids, sampled }, name, options);
}

/** Starts the span of a POST over HTTP that submits a plan; see {@link startRequestSpan}. */
export function startPostSpan(
  deps: RequestSpanDeps,
  {
    route,
    path,
    traceparent,
  }: { readonly route: string; readonly path: string; readonly traceparent: string | undefined },
): Span {
  const attributes = { "http.request.method": "POST", "http.route": route, "url.path": path };
  return startRequestSpan(deps, { name: `POST ${route}`, traceparent, attributes });
}
