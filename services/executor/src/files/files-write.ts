import { Buffer } from "node:buffer";
import { ArtifactRef } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { WorkspacePath } from "./workspace-path.ts";
import { type Tool, defineTool } from "../tools/define-tool.ts";

const CONTENT_BYTES_MAX = 4 * 1024 * 1024;

/** Writes one text file into the plan's workspace. */
export function filesWrite(): Tool {
  return defineTool({
    name: "files.write",
    description:
      "Write a text file (report, table, code) for users to download, replacing any file with the same path. " +
      "Output: {path, bytes}.",
    input: z.strictObject({
      path: WorkspacePath.describe("Relative path, such as report.md or data/regions.csv."),
      content: z.string().describe("The full text."),
    }),
    output: z.object({ path: z.string(), bytes: z.int().nonnegative(), artifact: ArtifactRef }),
    risk: "medium",
    effect: "idempotent",
    timeoutMs: 30_000,
    untrusted: false,
    run: async ({ path, content }, { workspace, signal }) => {
      const encoded = Buffer.from(content, "utf8");
      if (encoded.byteLength > CONTENT_BYTES_MAX) {
        throw new PermanentError(
          `content has ${encoded.byteLength} bytes, the limit is ${CONTENT_BYTES_MAX}`,
          {
            code: "file_too_large",
          },
        );
      }
      signal.throwIfAborted();
      const { artifact, bytes } = await workspace.write(path, encoded, contentTypeOf(path));
      return { path, bytes, artifact };
    },
  });
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  // Served as text, because a page written by a model must not run in a viewer's browser.
  html: "text/plain",
  json: "application/json",
  md: "text/markdown",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  xml: "text/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

/** The content type of a text file, by its extension; plain text when the extension is unknown. */
function contentTypeOf(path: string): string {
  const end = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const type = Object.hasOwn(TYPES, end) ? TYPES[end] : undefined;
  return `${type ?? "text/plain"}; charset=utf-8`;
}
