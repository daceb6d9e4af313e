/**
 * The response of an OTLP receiver, in JSON or in Protocol Buffers.
 *
 * Source: https://opentelemetry.io/docs/specs/otlp/#otlphttp-response
 */

export type OtlpFormat = "json" | "protobuf";

export const OTLP_TYPES: Readonly<Record<OtlpFormat, string>> = {
  json: "application/json",
  protobuf: "application/x-protobuf",
};

/** The maximum length of a message, in characters. */
const MESSAGE_CHARS_MAX = 2_000;

/** `ExportTraceServiceResponse`: empty unless spans were dropped. */
export function exportAnswer(
  format: OtlpFormat,
  { rejected, message }: { readonly rejected: number; readonly message: string },
): string | Buffer {
  if (format === "protobuf") {
    if (rejected === 0) return Buffer.alloc(0);
    const partial = Buffer.concat([varint(1 << 3), varint(rejected), textField(2, message)]);
    return delimited(1, partial);
  }
  if (rejected === 0) return "{}";
  // In JSON, 64-bit numbers are strings.
  return JSON.stringify({ partialSuccess: { rejectedSpans: String(rejected), errorMessage: message } });
}

/** `google.rpc.Status`, for refusing a request in Protocol Buffers. */
export function refusal(message: string): Buffer {
  return textField(2, message);
}

function textField(field: number, text: string): Buffer {
  return delimited(field, Buffer.from(text.slice(0, MESSAGE_CHARS_MAX)));
}

function delimited(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}
