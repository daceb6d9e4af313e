/** Sends built files. All have an ETag; only those whose names hold a hash of their content may be kept without asking again. */
import type { FastifyReply } from "fastify";
import { statSync } from "node:fs";
import path from "node:path";

const YEAR_MS = 365 * 86_400_000;

/** Whether a folder has a file of that relative path; folders are none. */
export function isFile(folder: string, file: string): boolean {
  // No path of a file holds a NUL, and the system call throws on one.
  return (
    !file.includes("\0") && statSync(path.join(folder, file), { throwIfNoEntry: false })?.isFile() === true
  );
}

/** Sends a file whose name holds a hash of its content: browsers keep it for a year. */
export function sendHashed(reply: FastifyReply, folder: string, file: string): FastifyReply {
  return reply.sendFile(file, folder, { maxAge: YEAR_MS, immutable: true });
}

/** Sends a file that may change under the same name: browsers revalidate it by its ETag. */
export function sendUnhashed(reply: FastifyReply, folder: string, file: string): FastifyReply {
  return reply.header("cache-control", "no-cache").sendFile(file, folder, { cacheControl: false });
}
