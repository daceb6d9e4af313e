/** Where another viewer shows a trace: an address with `{traceId}` in the place of the id. */
import { z } from "zod";

const PLACE = "{traceId}";
const SAMPLES = ["0".repeat(32), "f".repeat(32)] as const;

/** A setting: a template of http or https, without credentials, that keeps to one host whatever the id is. */
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
