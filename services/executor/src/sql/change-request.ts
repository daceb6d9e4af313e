import { DataRules, RowChange } from "@planwright/plan";
import { z } from "zod";
import { Bytes } from "../sandbox/program.ts";

const OnFile = {
  /** The source's name, as shown to users. */
  name: z.string(),
  /** Path of a SQLite file. */
  path: z.string(),
  effectKey: z.string().min(1),
};

export const ApplyRequest = z.object({
  ...OnFile,
  do: z.literal("apply"),
  changeset: Bytes,
  /** The same changes, as shown to users. */
  changes: z.array(RowChange),
  rules: DataRules.optional(),
});
export type ApplyRequest = z.infer<typeof ApplyRequest>;

/** A request to the child that writes: make changes, or check whether they were made. */
export const ChangeRequest = z.discriminatedUnion("do", [
  ApplyRequest,
  z.object({ ...OnFile, do: z.literal("look") }),
]);
export type ChangeRequest = z.infer<typeof ChangeRequest>;
