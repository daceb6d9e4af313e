import type { z } from "zod";
import { describeError } from "../errors.ts";
import type { Delivery } from "./delivery.ts";

/** A work message as its queue's schema understands it, or what is wrong with it. */
export type Parsed<Work> =
  | { readonly ok: true; readonly value: Work }
  | { readonly ok: false; readonly fault: string };

export function parseWork<Schema extends z.ZodType>(
  Schema: Schema,
  { data }: Delivery,
): Parsed<z.output<Schema>> {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(data).toString("utf8"));
  } catch (error) {
    return { ok: false, fault: `wanted JSON: ${describeError(error)}` };
  }
  const parsed = Schema.safeParse(body);
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    fault: `malformed work: ${parsed.error.issues.map(({ message }) => message).join("; ")}`,
  };
}
