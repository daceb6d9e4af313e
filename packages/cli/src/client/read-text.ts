import { CliError, EXIT } from "../exit-codes.ts";

const BYTES_MAX = 64 * 1024 * 1024;

/** @throws {CliError} `failed` beyond 64 MiB. */
export async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > BYTES_MAX) throw new CliError(EXIT.failed, `the reply is larger than ${BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
