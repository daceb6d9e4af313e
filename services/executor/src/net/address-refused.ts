import { PermanentError } from "@planwright/shared/errors";

/** HTTP tools must not go there; a retry would change nothing. */
export function addressRefused(what: string): PermanentError {
  return new PermanentError(`address refused: ${what}`, { code: "address_refused" });
}

/**
 * A refusal that the operator can lift, with the setting that does so.
 *
 * @param place - The host and port as in the request, such as `localhost:8080`.
 */
export function addressNotAllowed(place: string, what: string): PermanentError {
  return addressRefused(`${what}. To allow it, start Planwright with HTTP_FETCH_ALLOW=${place}`);
}
