/** Explains a failed connection to NATS, and the setting that fixes it. */
import { errors } from "@nats-io/transport-node";
import { describeError } from "../errors.ts";
import { LOGIN_SETTINGS, type NatsLogin } from "./nats-access.ts";

const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const CAUSES_MAX = 5;
/** The client library, of a connection that the server has closed without an error. */
const CLOSED_WITHOUT_A_WORD = "provided an undefined error";

/** One sentence for the log; it names no secret. */
export function explainRefusal(error: unknown, { login }: { readonly login: NatsLogin | undefined }): string {
  const chain = causesOf(error);
  if (chain.some((one) => one instanceof errors.AuthorizationError)) return refusedLogin(login);
  if (chain.some((one) => one instanceof errors.UserAuthenticationExpiredError)) {
    return "the login has expired: renew the credential";
  }
  const codes = chain.map(codeOf);
  if (codes.some((code) => UNKNOWN_AUTHORITY.has(code))) {
    return "its certificate is signed by an unknown authority: set NATS_TLS_CA to the authority's certificate";
  }
  if (codes.includes("CERT_HAS_EXPIRED"))
    return "its certificate has expired: renew the server's certificate";
  if (codes.includes("ERR_TLS_CERT_ALTNAME_INVALID")) {
    return "its certificate is for other host names: put one of them into NATS_URL";
  }
  if (codes.some((code) => code.includes("CERTIFICATE_REQUIRED") || code.includes("BAD_CERTIFICATE"))) {
    return "it verifies clients and rejected this client's certificate: set NATS_TLS_CERT and NATS_TLS_KEY";
  }
  const texts = chain.map(({ message }) => message);
  if (texts.some((text) => text.includes("does not support 'tls'"))) {
    return "it offers no TLS, which NATS_URL (tls://) or NATS_TLS_CA requires";
  }
  if (
    chain.some((one) => one instanceof errors.TimeoutError) ||
    texts.some((text) => text.includes(CLOSED_WITHOUT_A_WORD))
  ) {
    return "it sends no greeting: it may verify clients (NATS_TLS_CERT, NATS_TLS_KEY), expect TLS before the greeting, or not be a NATS server";
  }
  return texts.at(-1) ?? describeError(error);
}

function refusedLogin(login: NatsLogin | undefined): string {
  if (login === undefined) {
    return "it requires a login: set NATS_NKEY_SEED, NATS_CREDS, NATS_USER and NATS_PASSWORD, or NATS_TOKEN";
  }
  const user = login.kind === "password" ? ` as ${login.user}` : "";
  return `it refused the login${user}: check ${LOGIN_SETTINGS[login.kind]}`;
}

function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  let current = error;
  while (current instanceof Error && found.length < CAUSES_MAX) {
    found.push(current);
    current = current.cause;
  }
  return found;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
