import { PermanentError } from "@planwright/shared/errors";

/** `http.fetch` may not go there; trying again would change nothing. */
export function addressRefused(what: string): PermanentError {
  return new PermanentError(`address refused: ${what}`, { code: "address_refused" });
}
