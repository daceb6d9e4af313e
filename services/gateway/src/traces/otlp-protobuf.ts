/**
 * Reads OTLP requests in Protocol Buffers into the form of OTLP's JSON, limited to the fields that the trace view keeps.
 *
 * Source: the field numbers of opentelemetry/proto/{collector/trace,trace,common,resource}/v1, OTLP 1.x, which are stable.
 */
import { Problem } from "../http/problem.ts";
import { WireError, WireReader } from "./wire-reader.ts";

/** The maximum depth of lists and maps in attributes; deeper levels are cut off. */
const DEPTH_MAX = 16;

type Fields = Record<string, unknown>;
type Take = (fields: Fields, reader: WireReader) => void;
/** How each field of a message is read, by field number; others are skipped. */
type Message = Readonly<Record<number, Take>>;

/** @throws {Problem} `malformed_protobuf` */
export function readOtlpProtobuf(body: Uint8Array): unknown {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    return read(REQUEST, new WireReader(bytes), {});
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    throw new Problem("malformed_protobuf", `wanted an OTLP request as Protocol Buffers: ${cause.message}`, {
      cause,
    });
  }
}

function read(message: Message, reader: WireReader, fields: Fields): Fields {
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
    const take = message[field];
    if (take === undefined) reader.skip();
    else take(fields, reader);
  }
  return fields;
}

const one =
  (name: string, valueOf: (reader: WireReader) => unknown): Take =>
  (fields, reader) => {
    fields[name] = valueOf(reader);
  };

const many =
  (name: string, valueOf: (reader: WireReader) => unknown): Take =>
  (fields, reader) => {
    const list = fields[name];
    const value = valueOf(reader);
    if (Array.isArray(list)) list.push(value);
    else fields[name] = [value];
  };

/** @param absent - The defaults of fields that were not sent. */
const messageOf =
  (message: Message, absent: () => Fields = () => ({})) =>
  (reader: WireReader): Fields =>
    read(message, reader.message(), absent());

const text = (reader: WireReader) => reader.text();
const hex = (reader: WireReader) => reader.bytes("hex");
const uint32 = (reader: WireReader) => reader.uint32();
const nanos = (reader: WireReader) => reader.fixed64();

/** `{"stringValue": "x"}` and similar values; if there are several, the last one counts. */
function anyValue(reader: WireReader, depth = 0): Fields {
  const content = reader.message();
  let value: Fields = {};
  if (depth > DEPTH_MAX) return value;
  for (let field = content.nextField(); field !== 0; field = content.nextField()) {
    if (field === 1) value = { stringValue: content.text() };
    else if (field === 2) value = { boolValue: content.bool() };
    else if (field === 3) value = { intValue: content.int64() };
    else if (field === 4) value = { doubleValue: content.double() };
    else if (field === 5) value = { arrayValue: listOf(content, (item) => anyValue(item, depth + 1)) };
    else if (field === 6) value = { kvlistValue: listOf(content, (item) => keyValue(item, depth + 1)) };
    else if (field === 7) value = { bytesValue: content.bytes("base64") };
    else content.skip();
  }
  return value;
}

function listOf(reader: WireReader, valueOf: (reader: WireReader) => unknown): Fields {
  return read({ 1: many("values", valueOf) }, reader.message(), { values: [] });
}

function keyValue(reader: WireReader, depth = 0): Fields {
  const pair = reader.message();
  let key = "";
  let value: Fields = {};
  for (let field = pair.nextField(); field !== 0; field = pair.nextField()) {
    if (field === 1) key = pair.text();
    else if (field === 2) value = anyValue(pair, depth);
    else pair.skip();
  }
  return { key, value };
}

const attribute = (reader: WireReader) => keyValue(reader);

const EVENT: Message = {
  1: one("timeUnixNano", nanos),
  2: one("name", text),
  3: many("attributes", attribute),
};
const LINK: Message = { 1: one("traceId", hex), 2: one("spanId", hex), 4: many("attributes", attribute) };
const STATUS: Message = { 2: one("message", text), 3: one("code", uint32) };

const SPAN: Message = {
  1: one("traceId", hex),
  2: one("spanId", hex),
  4: (fields, reader) => {
    const parent = reader.bytes("hex");
    // Senders may encode a missing parent as an empty one.
    if (parent !== "") fields["parentSpanId"] = parent;
  },
  5: one("name", text),
  6: one("kind", uint32),
  7: one("startTimeUnixNano", nanos),
  8: one("endTimeUnixNano", nanos),
  9: many("attributes", attribute),
  10: one("droppedAttributesCount", uint32),
  11: many(
    "events",
    messageOf(EVENT, () => ({ name: "", timeUnixNano: "0", attributes: [] })),
  ),
  12: one("droppedEventsCount", uint32),
  13: many("links", messageOf(LINK)),
  14: one("droppedLinksCount", uint32),
  15: one(
    "status",
    messageOf(STATUS, () => ({ code: 0 })),
  ),
};
const noSpan = (): Fields => ({
  name: "",
  kind: 0,
  startTimeUnixNano: "0",
  endTimeUnixNano: "0",
  attributes: [],
  events: [],
  links: [],
  status: { code: 0 },
});

const SCOPE_SPANS: Message = { 2: many("spans", messageOf(SPAN, noSpan)) };
const RESOURCE: Message = { 1: many("attributes", attribute) };
const RESOURCE_SPANS: Message = {
  1: one("resource", messageOf(RESOURCE)),
  2: many("scopeSpans", messageOf(SCOPE_SPANS)),
};
const REQUEST: Message = { 1: many("resourceSpans", messageOf(RESOURCE_SPANS)) };
