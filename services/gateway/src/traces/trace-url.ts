/** Where another viewer shows a trace: a URL with `{traceId}` in place of the id. */
import { z } from "zod";

const PLACE = "{traceId}";
const SAMPLES = ["0".repeat(32), "f".repeat(32)] as const;

/** A setting: an http or https template, without credentials, whose host does not depend on the id. */
export function traceUrl() {
  return z
    .string()
    .trim()
    .max(4_000)
    .refine((template) => {
      if (!template.includes(PLACE)) return false;
      const [first, second] = SAMPLES.map((id) => URL.parse(template.replaceAll(PLACE, id)));
      return first !== null && first !== undefined && isPublic(first) && first.origin === second?.origin;
    })
    .meta({ wanted: `an http or https address with ${PLACE} after its host` });
}

function isPublic({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
