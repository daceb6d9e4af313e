// Compared with OpenTelemetry's own serializers: what one of them writes as Protocol Buffers must be read like what the other
// writes as JSON.
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "../http/problem.ts";
import { exportAnswer, refusal } from "./otlp-answer.ts";
import { readOtlpProtobuf } from "./otlp-protobuf.ts";
import { isPlainSpan, receivedSpans } from "./otlp-request.ts";
import { shownSpan } from "./shown-span.ts";
import { WireReader } from "./wire-reader.ts";

type Spans = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0];
type Span = Spans[number];

const HEX_DIGITS = Array.from("0123456789abcdef");
const hex = (digits: number) =>
  fc.string({ unit: fc.constantFrom(...HEX_DIGITS), minLength: digits, maxLength: digits });
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "__proto__", "x".repeat(300)),
);
const whole = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(0, -1, 127, 128, 2 ** 28, 2 ** 35));
const scalar = fc.oneof(anyText, fc.boolean(), whole, fc.double({ noNaN: true, noDefaultInfinity: true }));
const attributes = fc.dictionary(anyText, fc.oneof(scalar, fc.array(anyText), fc.array(whole)), {
  maxKeys: 6,
});
const context = fc.record({ traceId: hex(32), spanId: hex(16), traceFlags: fc.constantFrom(0, 1) });
const time = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 }));
const count = fc.integer({ min: 0, max: 1_000_000 });

const span: fc.Arbitrary<Span> = fc
  .record({
    name: anyText,
    kind: fc.integer({ min: 0, max: 4 }),
    own: context,
    parent: fc.option(context, { nil: undefined }),
    startTime: time,
    endTime: time,
    status: fc.record({ code: fc.integer({ min: 0, max: 2 }), message: anyText }),
    attributes,
    links: fc.array(fc.record({ context, attributes }), { maxLength: 3 }),
    events: fc.array(fc.record({ name: anyText, time, attributes }), { maxLength: 3 }),
    dropped: fc.tuple(count, count, count),
    service: anyText,
  })
  .map(({ own, parent, dropped, service, ...rest }) => ({
    ...rest,
    spanContext: () => own,
    ...(parent === undefined ? {} : { parentSpanContext: parent }),
    duration: [0, 0],
    ended: true,
    resource: {
      attributes: { "service.name": service },
      merge: (other) => other ?? empty,
      getRawAttributes: () => [],
    },
    instrumentationScope: { name: "test", version: "1" },
    droppedAttributesCount: dropped[0],
    droppedEventsCount: dropped[1],
    droppedLinksCount: dropped[2],
  }));
const empty: Span["resource"] = { attributes: {}, merge: () => empty, getRawAttributes: () => [] };

function bytesOf(spans: Spans): Uint8Array {
  const bytes = ProtobufTraceSerializer.serializeRequest(spans);
  if (bytes === undefined) throw new Error("nothing was written");
  return bytes;
}

/** The error, or `read`. */
function settled(act: () => unknown): [unknown] {
  try {
    act();
    return ["read"];
  } catch (error) {
    return [error];
  }
}

const shown = (request: unknown) => receivedSpans(request).spans.map(shownSpan);

describe("OTLP in Protocol Buffers", () => {
  it("is read as the same spans as in JSON", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), (spans) => {
        const json: unknown = JSON.parse(
          new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans)),
        );
        expect(shown(readOtlpProtobuf(bytesOf(spans)))).toEqual(shown(json));
      }),
    );
  });

  it("yields spans of the plain form that needs no schema check", () => {
    const [plain] = fc.sample(
      span.map((one) => ({ ...one, events: [] })),
      1,
    );
    const request = readOtlpProtobuf(bytesOf(plain === undefined ? [] : [plain])) as {
      resourceSpans: { scopeSpans: { spans: unknown[] }[] }[];
    };
    expect(request.resourceSpans[0]?.scopeSpans[0]?.spans.map(isPlainSpan)).toEqual([true]);
  });

  it("is refused when the bytes are anything else, and never hangs", () => {
    const refusedOrRead = (bytes: Uint8Array): void => {
      const [outcome] = settled(() => receivedSpans(readOtlpProtobuf(bytes)));
      expect(outcome).toSatisfy((one) => one instanceof Problem || one === "read");
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), refusedOrRead));
    const damaged = fc.record({
      spans: fc.array(span, { minLength: 1, maxLength: 2 }),
      at: fc.nat(),
      byte: fc.nat(255),
    });
    fc.assert(
      fc.property(damaged, ({ spans, at, byte }) => {
        const bytes = Uint8Array.from(bytesOf(spans));
        bytes[at % bytes.length] = byte;
        refusedOrRead(bytes);
        refusedOrRead(bytes.subarray(0, at % bytes.length));
      }),
    );
  });

  it.each([
    ["ends too early", [0x0a, 0x05, 0x00]],
    ["has a group", [0x0b]],
    ["has a number that does not end", Array.from({ length: 11 }, () => 0xff)],
    ["has field 0", [0x00, 0x01]],
    ["says another type than the field's", [0x08, 0x01]],
  ])("is refused when it %s", (_, bytes) => {
    expect(() => readOtlpProtobuf(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: "malformed_protobuf" }),
    );
  });

  it("contains as many messages as can be kept together, and no more", () => {
    const reader = new WireReader(Buffer.from([0x0a, 2, 0x0a, 0, 0x0a, 0]), { room: { messages: 2 } });
    reader.nextField();
    const inner = reader.message();
    inner.nextField();
    inner.message();
    reader.nextField();
    expect(() => reader.message()).toThrow(/more than/);
  });

  it("can nest its attributes to any depth: levels below the limit are cut off", () => {
    let value = [0x0a, 0x01, 0x78];
    const wrap = (field: number, content: number[]): number[] => {
      const { length } = content;
      return [
        (field << 3) | 2,
        ...(length < 0x80 ? [length] : [(length % 0x80) | 0x80, length >> 7]),
        ...content,
      ];
    };
    for (let depth = 0; depth < 1_000; depth += 1) value = wrap(5, wrap(1, value));
    const key = wrap(1, [0x6b]);
    const attribute = wrap(1, [...key, ...wrap(2, value)]);
    const request = wrap(1, wrap(1, attribute));
    expect(readOtlpProtobuf(Uint8Array.from(request))).toMatchObject({ resourceSpans: [{ resource: {} }] });
  });
});

describe("the response", () => {
  it("reports how many spans of a request were dropped, in the exporter's format", () => {
    const added = { rejected: 300, message: "spans[0]: größer" };
    const answer = { rejectedSpans: 300, errorMessage: added.message };
    const bytes = exportAnswer("protobuf", added) as Buffer;
    expect(ProtobufTraceSerializer.deserializeResponse(bytes)).toEqual({ partialSuccess: answer });
    expect(JSON.parse(String(exportAnswer("json", added)))).toEqual({
      partialSuccess: { ...answer, rejectedSpans: "300" },
    });
  });

  it("is empty when all spans were kept", () => {
    const added = { rejected: 0, message: "" };
    expect([exportAnswer("json", added), exportAnswer("protobuf", added)]).toEqual(["{}", Buffer.alloc(0)]);
  });

  it("is a status with a message for a refusal", () => {
    expect([...refusal("no")]).toEqual([0x12, 2, 0x6e, 0x6f]);
  });
});
