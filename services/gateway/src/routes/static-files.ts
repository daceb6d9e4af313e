/** Sends built files. All have an ETag; only those with a content hash in their name may be cached without revalidation. */
import type { FastifyReply } from "fastify";
import { statSync } from "node:fs";
import path from "node:path";

const YEAR_MS = 365 * 86_400_000;

/** Whether a folder contains a file at that relative path; subfolders do not count. */
export function isFile(folder: string, file: string): boolean {
  // File paths cannot contain NUL, and the system call throws on it.
  return (
    !file.includes("\0") && statSync(path.join(folder, file), { throwIfNoEntry: false })?.isFile() === true
  );
}

/** Sends a file with a content hash in its name: browsers cache it for a year. */
export function sendHashed(reply: FastifyReply, folder: string, file: string): FastifyReply {
  return reply.sendFile(file, folder, { maxAge: YEAR_MS, immutable: true });
}

/** Sends a file that may change under the same name: browsers revalidate it by its ETag. */
export function sendUnhashed(reply: FastifyReply, folder: string, file: string): FastifyReply {
  return reply.header("cache-control", "no-cache").sendFile(file, folder, { cacheControl: false });
}
