/** Errors in the shape that OpenAI's servers use, so that every client reads them as it reads theirs. */

type OpenAiError = {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
};

/** A refusal by the protocol server itself, with the HTTP status that carries it. */
export class HttpFault extends Error {
  override readonly name: string = "HttpFault";
  readonly status: number;
  readonly code: string | null;

  constructor(message: string, options: ErrorOptions & { readonly status: number; readonly code?: string }) {
    super(message, options);
    this.status = options.status;
    this.code = options.code ?? null;
  }
}

const TYPES = new Map([
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [429, "rate_limit_error"],
]);

export function openAiError(status: number, message: string, code: string | null = null): OpenAiError {
  const type = TYPES.get(status) ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return { error: { message, type, param: null, code } };
}
