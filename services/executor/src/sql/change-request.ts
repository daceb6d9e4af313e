import { DataRules, RowChange } from "@planwright/plan";
import { z } from "zod";
import { Bytes } from "../sandbox/program.ts";

const OnFile = {
  /** How people name the source. */
  name: z.string(),
  /** Of a SQLite file. */
  path: z.string(),
  effectKey: z.string().min(1),
};

export const ApplyRequest = z.object({
  ...OnFile,
  do: z.literal("apply"),
  changeset: Bytes,
  /** The same changes, as they were told to people. */
  changes: z.array(RowChange),
  rules: DataRules.optional(),
});
export type ApplyRequest = z.infer<typeof ApplyRequest>;

/** What the child that writes is asked to do: to make changes, or to tell whether they were made. */
export const ChangeRequest = z.discriminatedUnion("do", [
  ApplyRequest,
  z.object({ ...OnFile, do: z.literal("look") }),
]);
export type ChangeRequest = z.infer<typeof ChangeRequest>;
