/**
 * Snapshots of streams by JetStream's own protocol (`STREAM.SNAPSHOT`, `STREAM.RESTORE`), which the client library does not
 * support. A snapshot shows one moment of a stream, even while it is written to, and keeps the sequence of every message.
 */
import { PermanentError, TransientError } from "@planwright/shared/errors";
import type { Bus } from "@planwright/shared/bus";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { z } from "zod";
import { StreamBackup } from "./manifest.ts";

const CHUNK_BYTES = 128 * 1024;
/** Maximum time between two pieces of a snapshot, or for the answer to a request. */
const PIECE_WITHIN_MS = 60_000;

const ApiError = z.object({ code: z.int(), description: z.string().default("") });
const Answer = z.object({ error: ApiError.optional() });
const SnapshotAnswer = StreamBackup.pick({ config: true, state: true });
const RestoreAnswer = z.object({ deliver_subject: z.string() });

type Described = Pick<StreamBackup, "config" | "state">;

/** Writes a stream into a new file. Queues are left out: `provision` creates them. */
export async function snapshotStream(
  { connection, newInbox }: Pick<Bus, "connection" | "newInbox">,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<Described & Pick<StreamBackup, "bytes" | "sha256">> {
  const inbox = newInbox();
  const pieces = connection.subscribe(inbox);
  const hash = createHash("sha256");
  let bytes = 0;
  await using output = await open(file, "wx", 0o600);
  try {
    const request = { deliver_subject: inbox, no_consumers: true, chunk_size: CHUNK_BYTES };
    const described = SnapshotAnswer.parse(await ask(connection, `SNAPSHOT.${name}`, request));
    for await (const piece of withDeadline(pieces, name)) {
      refuseError(piece, name);
      if (piece.data.length === 0) return { ...described, bytes, sha256: hash.digest("hex") };
      await output.write(piece.data);
      hash.update(piece.data);
      bytes += piece.data.length;
      // The server sends more once this much has arrived.
      if (piece.reply !== undefined) piece.respond();
    }
    throw new TransientError(`the connection was closed during the snapshot of ${name}`);
  } finally {
    pieces.unsubscribe();
  }
}

/**
 * Creates a stream from a file.
 *
 * @param options.replicas - Replaces the number in the backup.
 * @throws {PermanentError} `restore_refused` with the server's error, such as an existing stream of that name.
 */
export async function restoreStream(
  connection: NatsConnection,
  { name, config, state }: Pick<StreamBackup, "name"> & Described,
  { file, replicas }: { readonly file: string; readonly replicas: number },
): Promise<void> {
  const request = { config: { ...config, num_replicas: replicas }, state };
  const { deliver_subject: to } = RestoreAnswer.parse(await ask(connection, `RESTORE.${name}`, request));
  await using input = await open(file, "r");
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await input.read(buffer, 0, buffer.length);
    const answer = await connection.request(to, Buffer.from(buffer.subarray(0, bytesRead)), {
      timeout: PIECE_WITHIN_MS,
    });
    if (answer.data.length > 0) refuse(answer.json(), name);
    if (bytesRead === 0) return;
  }
}

async function ask(connection: NatsConnection, call: string, request: object): Promise<unknown> {
  const answer = await connection.request(`$JS.API.STREAM.${call}`, JSON.stringify(request), {
    timeout: PIECE_WITHIN_MS,
  });
  const body: unknown = answer.json();
  refuse(body, call);
  return body;
}

function refuse(body: unknown, what: string): void {
  const { error } = Answer.parse(body);
  if (error === undefined) return;
  throw new PermanentError(`nats-server rejects ${what}: ${error.description} (${error.code})`, {
    code: "restore_refused",
  });
}

/** Throws the error in the status of the last message; a complete snapshot has none. */
function refuseError({ headers }: Msg, name: string): void {
  if (headers === undefined || headers.code === 0 || headers.code === 204) return;
  throw new TransientError(`the snapshot of ${name} was interrupted: ${headers.code} ${headers.description}`);
}

async function* withDeadline(pieces: AsyncIterable<Msg>, name: string): AsyncGenerator<Msg> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new TransientError(`received nothing of ${name} for ${PIECE_WITHIN_MS} ms`)),
      PIECE_WITHIN_MS,
    );
    try {
      const next = await Promise.race([iterator.next(), late.promise]);
      if (next.done === true) return;
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
  }
}
