import { AnswerStatus, JsonValue, RowChange } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { CHANGES_MAX, CHANGESET_BYTES_MAX } from "../changeset/read-changeset.ts";
import type { SourceWriter } from "./source-writer.ts";
import { defineTool, type OpenSource, type SourceCatalog, type Tool } from "../tools/define-tool.ts";
import { openSource } from "./sql-query.ts";

const Input = z.strictObject({
  source: z.string().min(1).max(200).describe("Name of the data source."),
  changes: z.array(RowChange).min(1).max(CHANGES_MAX).describe("The changes, row by row."),
  changeset: z
    .base64()
    .max(Math.ceil(CHANGESET_BYTES_MAX / 3) * 4)
    .describe("The same changes as a SQLite changeset, in base64."),
  text: z.string().max(10_000).describe("The answer after the changes are applied."),
  status: AnswerStatus.default("success"),
  data: JsonValue.optional(),
});
type Input = z.infer<typeof Input>;

const Output = z.object({
  text: z.string(),
  status: AnswerStatus,
  data: JsonValue.optional(),
  applied: z.int().positive(),
});

/** Applies the changes that a program made on a copy to the source itself: all of them or none, once. */
export function dataApply({ writer }: { readonly writer: SourceWriter }): Tool {
  return defineTool({
    name: "data.apply",
    description:
      "Apply the changes that data.dryrun reported to the data source itself, all or none. Fails if one of the rows has changed since. " +
      'Output: {"text": "…", "status": "success", "applied": 2}; refer to it as {"$ref": "s2.output.text"}.',
    input: Input,
    output: Output,
    risk: "high",
    effect: "once",
    timeoutMs: 60_000,
    untrusted: false,
    // The key is stored in the file, in the same transaction as its changes.
    rejectsRepeatedKeys: () => true,
    run: async (args, { sources, effectKey, signal }) => {
      const { name, path, rules } = await openWritable(sources, args.source, signal);
      const { changes } = args;
      const changeset = Buffer.from(args.changeset, "base64");
      const request = { name, path, changeset, changes, effectKey: effectKey() };
      await writer.apply(rules === undefined ? request : { ...request, rules }, { signal });
      return outputOf(args);
    },
    check: async (args, { sources, effectKey, signal }) => {
      const { name, path } = await openWritable(sources, args.source, signal);
      const isDone = await writer.hasEffect({ name, path, effectKey: effectKey() }, { signal });
      return isDone ? { kind: "done", output: outputOf(args) } : { kind: "not-done" };
    },
  });
}

function outputOf({ text, status, data, changes }: Input): z.infer<typeof Output> {
  return { text, status, applied: changes.length, ...(data === undefined ? {} : { data }) };
}

async function openWritable(sources: SourceCatalog, name: string, signal: AbortSignal): Promise<OpenSource> {
  const source = await openSource(sources, name, signal);
  if (source.writable && source.kind === "sqlite") return source;
  throw new PermanentError(`the source ${name} is read-only`, { code: "read_only" });
}
