/** Finds the text for the reader in a reply that was to be JSON with a `text` and is not. */
import { z } from "zod";
import { extractJson } from "./extract-json.ts";

export type SalvagedText = {
  readonly text: string;
  /** The reply ends inside the text. The text then ends with the last word that is surely whole. */
  readonly isCut: boolean;
};

const WithText = z.object({ text: z.string() });
/** The `text` of JSON that was cut off or is malformed elsewhere, and its closing quote if there is one. */
const TEXT_FIELD = /"text"\s*:\s*"(?<text>(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*)(?<close>"?)/;

/**
 * The text for the reader in a reply that is not the JSON that was asked for; undefined when there is none.
 *
 * @param reply - `finishReason` `length` says that whatever stands last may be incomplete.
 */
export function salvageText(reply: {
  readonly text: string;
  readonly finishReason?: string;
}): SalvagedText | undefined {
  const said = reply.text.trim();
  const found = WithText.safeParse(extractJson(said)?.value);
  if (found.success) return whole(found.data.text);
  const isLimited = reply.finishReason === "length";
  if (!/^(?:```\w*\s*)?[{[]/.test(said)) return isLimited ? cut(said) : whole(said);
  const { text, close } = TEXT_FIELD.exec(said)?.groups ?? {};
  if (text === undefined) return undefined;
  const read = z.string().parse(JSON.parse(`"${text}"`));
  return close === '"' ? whole(read) : cut(read);
}

function whole(text: string): SalvagedText | undefined {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : { text: trimmed, isCut: false };
}

/** Without its last word, of which the end may be missing: "It is 4" may have been going to be "It is 42". */
function cut(text: string): SalvagedText | undefined {
  const kept = text.replace(/\s*\S*$/, "").trim();
  return kept === "" ? undefined : { text: kept, isCut: true };
}
