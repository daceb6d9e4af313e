import { FactClaim } from "@planwright/plan";
import { parseStructured, strictSchemaOf } from "@planwright/shared/model";
import { z } from "zod";

/** Of one text. */
const CLAIMS_MAX = 20;
const VALUE_CHARS_MAX = 500;
const KEY_CHARS_MAX = 128;

const Digest = z.object({
  text: z.string(),
  facts: z.array(
    z.object({
      key: z.string(),
      value: z.union([z.string(), z.number(), z.boolean()]),
      confidence: z.number(),
    }),
  ),
});

export const DIGEST_SCHEMA = strictSchemaOf(Digest);

/** The text and its facts; a reply that is something else is taken for the text, without facts. Never throws. */
export function readDigest(reply: string): { readonly text: string; readonly facts: readonly FactClaim[] } {
  const parsed = parseStructured("text with its facts", Digest, reply);
  if (!parsed.ok) return { text: reply, facts: [] };
  const facts = parsed.value.facts
    .filter(({ key }) => key.trim() !== "")
    .slice(0, CLAIMS_MAX)
    .map(({ key, value, confidence }) =>
      FactClaim.parse({
        key: key.trim().slice(0, KEY_CHARS_MAX),
        value: typeof value === "string" ? value.slice(0, VALUE_CHARS_MAX) : value,
        confidence: Math.min(1, Math.max(0, confidence)),
      }),
    );
  return { text: parsed.value.text, facts };
}
