import { ARTIFACT_BYTES_MAX } from "@planwright/shared/artifacts";
import type { DataSource } from "@planwright/shared/tools";
import { Problem } from "../http/problem.ts";

export type SourceKind = DataSource["kind"];
export type SourceFile = { readonly fileName: string; readonly content: Uint8Array };

const SQLITE_MAGIC = "SQLite format 3\0";

/**
 * Refuses files that are plainly not what they are said to be; readers check further.
 *
 * @throws {Problem} `invalid_data`, `body_too_large`
 */
export function refuseUnusableFile(kind: SourceKind, { fileName, content }: SourceFile): void {
  const start = Buffer.from(content.subarray(0, SQLITE_MAGIC.length)).toString("latin1");
  if (content.byteLength > ARTIFACT_BYTES_MAX) {
    throw new Problem("body_too_large", `${fileName}: wanted at most ${ARTIFACT_BYTES_MAX} bytes`);
  }
  if (content.byteLength === 0) throw new Problem("invalid_data", `${fileName} is empty`);
  if (kind === "sqlite" && start !== SQLITE_MAGIC) {
    throw new Problem("invalid_data", `${fileName}: wanted a SQLite 3 database, got something else`);
  }
  if (kind === "csv" && content.includes(0)) {
    throw new Problem("invalid_data", `${fileName}: wanted CSV as text, got a binary file`);
  }
}
