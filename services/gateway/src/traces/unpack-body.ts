import { gunzipSync } from "node:zlib";
import { Problem } from "../http/problem.ts";

/** The maximum size of one unpacked request. */
const UNPACKED_BYTES_MAX = 32 * 1024 * 1024;

export type OtlpEncoding = "identity" | "gzip";

/**
 * Decompresses a body.
 *
 * @throws {Problem} `body_too_large` as soon as the limit is exceeded; `invalid_request` when it is not gzip.
 */
export function unpackBody(
  body: Uint8Array,
  encoding: OtlpEncoding,
  bytesMax = UNPACKED_BYTES_MAX,
): Uint8Array {
  if (encoding === "identity") return body;
  try {
    return gunzipSync(body, { maxOutputLength: bytesMax });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : "";
    if (code === "ERR_BUFFER_TOO_LARGE") {
      throw new Problem("body_too_large", `wanted at most ${bytesMax} bytes, unpacked; got more`, { cause });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Problem("invalid_request", `wanted a body packed by gzip: ${reason}`, { cause });
  }
}
