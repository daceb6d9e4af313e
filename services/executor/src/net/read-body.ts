import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { PermanentError } from "@planwright/shared/errors";

/** Without it, compressed bytes that unpack to nothing would keep arriving until the deadline. */
const WIRE_BYTES_MAX = 8 * 1024 * 1024;

export type Body = { readonly bytes: Buffer; readonly truncated: boolean };

/**
 * Reads and unpacks a body up to a limit; the download ends there, so a decompression bomb never expands.
 *
 * @throws {PermanentError} `bad_response` for a compression that was not requested.
 */
export async function readBody(
  body: Readable,
  { encoding, bytesMax }: { readonly encoding: string; readonly bytesMax: number },
): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unpack(body, encoding)) {
    const buffer = Buffer.from(chunk as Uint8Array); // Both kinds of stream yield bytes.
    chunks.push(buffer);
    bytes += buffer.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

function unpack(body: Readable, encoding: string): Readable {
  const decoder = decoderFor(encoding.trim().toLowerCase());
  if (decoder === undefined) return body;
  // An error reaches the reader through the decoder, which the pipeline destroys with it.
  return pipeline(body, limited, decoder, () => undefined);
}

async function* limited(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > WIRE_BYTES_MAX) {
      throw new PermanentError(`the response has more than ${WIRE_BYTES_MAX} bytes`, {
        code: "response_too_large",
      });
    }
    yield chunk;
  }
}

function decoderFor(encoding: string): Transform | undefined {
  switch (encoding) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress();
    default:
      throw new PermanentError(
        `the response has the encoding ${encoding.slice(0, 40)}, which was not requested`,
        {
          code: "bad_response",
        },
      );
  }
}
