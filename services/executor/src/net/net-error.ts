import { PermanentError, TransientError } from "@planwright/shared/errors";

/** Errors that would recur at the next attempt; any other broken connection may be temporary. */
const PERMANENT: Readonly<Record<string, readonly [code: string, words: string]>> = {
  ENOTFOUND: ["host_not_found", "the host does not exist"],
  CERT_HAS_EXPIRED: ["certificate_refused", "its certificate has expired"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["certificate_refused", "its certificate is self-signed"],
  SELF_SIGNED_CERT_IN_CHAIN: ["certificate_refused", "its certificate is signed by an unknown authority"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "certificate_refused",
    "its certificate is signed by an unknown authority",
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ["certificate_refused", "its certificate is for another host name"],
  UND_ERR_HEADERS_OVERFLOW: ["bad_response", "its headers are too large"],
  Z_DATA_ERROR: ["bad_response", "its compressed response is damaged"],
  ERR__ERROR_FORMAT_PADDING_1: ["bad_response", "its compressed response is damaged"],
};

/** Converts a connection error into one that says whether to retry. */
export function toNetError(error: unknown, host: string): Error {
  if (error instanceof PermanentError || error instanceof TransientError) return error;
  const refused = causes(error).find((cause) => cause instanceof PermanentError);
  if (refused !== undefined) return refused;
  const code = netErrorCode(error);
  const known = code !== undefined && Object.hasOwn(PERMANENT, code) ? PERMANENT[code] : undefined;
  if (known !== undefined)
    return new PermanentError(`cannot read from ${host}: ${known[1]}`, { code: known[0], cause: error });
  return new TransientError(`cannot read from ${host}`, { cause: error });
}

/** The first code of an error and its causes, such as `ECONNREFUSED`. */
export function netErrorCode(error: unknown): string | undefined {
  return causes(error).flatMap((cause) =>
    "code" in cause && typeof cause.code === "string" ? [cause.code] : [],
  )[0];
}

/** The error, its causes, and the errors collected from attempts at several addresses. */
function causes(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...several].flatMap((cause) => causes(cause, depth + 1))];
}
