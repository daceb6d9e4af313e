import { extractJson } from "@planwright/shared/model";
import { z } from "zod";

const WithText = z.object({ text: z.string() });
/** The `text` of JSON that was cut off or is malformed elsewhere; it may itself be cut off. */
const TEXT_FIELD = /"text"\s*:\s*"(?<text>(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*)/;

/** The words for the reader in a reply that is no judgement; undefined when there are none. */
export function salvageText(reply: string): string | undefined {
  const said = reply.replace(/^\s*<think>[\s\S]*?(?:<\/think>|$)/, "").trim();
  const found = WithText.safeParse(extractJson(said)?.value);
  if (found.success) return nonEmpty(found.data.text);
  if (!/^(?:```\w*\s*)?[{[]/.test(said)) return nonEmpty(said);
  const field = TEXT_FIELD.exec(said)?.groups?.["text"];
  return field === undefined ? undefined : nonEmpty(z.string().parse(JSON.parse(`"${field}"`)));
}

function nonEmpty(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : trimmed;
}
