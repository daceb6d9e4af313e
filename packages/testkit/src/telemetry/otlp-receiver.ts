/** A real OTLP/HTTP receiver that keeps the received spans. */
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const Value = z.looseObject({});
const Attribute = z.object({ key: z.string(), value: Value });
const OtlpSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(Attribute).default([]),
  events: z.array(z.object({ name: z.string(), attributes: z.array(Attribute).default([]) })).default([]),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.int().optional(), message: z.string().optional() }).default({}),
});
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(OtlpSpan) })),
    }),
  ),
});

export type ReceivedSpan = Omit<z.infer<typeof OtlpSpan>, "attributes"> & {
  readonly service: unknown;
  readonly attributes: Record<string, unknown>;
};

export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      requests.push({ path: request.url ?? "", headers: request.headers });
      spans.push(...received(JSON.parse(body)));
      response.setHeader("content-type", "application/json").end("{}");
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    span(name: string): ReceivedSpan {
      const found = spans.filter((span) => span.name === name);
      if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} spans named ${name}`);
      return found[0];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function received(body: unknown): ReceivedSpan[] {
  return Export.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = plain(resource.attributes)["service.name"];
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, service, attributes: plain(span.attributes) })),
    );
  });
}

function plain(attributes: z.infer<typeof Attribute>[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, scalar(value)]));
}

function scalar(value: z.infer<typeof Value>): unknown {
  if ("intValue" in value) return Number(value["intValue"]);
  if ("arrayValue" in value) {
    return z
      .object({ values: z.array(Value) })
      .parse(value["arrayValue"])
      .values.map(scalar);
  }
  return Object.values(value)[0];
}
