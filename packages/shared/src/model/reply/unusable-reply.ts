/** Turns a server's reply that is not a completion into an error that names the cause. */
import { z } from "zod";
import { PermanentError, TransientError } from "../../errors.ts";

const SHOWN_CHARS_MAX = 200;
/** A page can start with white space and comments. */
const HTML = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype html|html|head|body)\b/i;
const TITLE = /<title[^>]{0,200}>([^<]{1,300})/i;
/** Statuses that a server may put into the body of a reply with status 200. */
const PERMANENT_STATUSES = new Set([400, 401, 402, 403, 404, 405, 413, 422]);

/**
 * Parses a reply's body as JSON.
 *
 * @throws {PermanentError} When it is an HTML page: the address is not that of an API.
 * @throws {TransientError} When it is empty or not JSON.
 */
export function parseBody(text: string, { status, baseUrl }: { status: number; baseUrl: string }): unknown {
  if (text.trim() === "") throw new TransientError(`the model server answered ${status} with an empty body`);
  if (isPage(text)) {
    throw new PermanentError(
      `the model server answered ${status} with ${pageText(text)} instead of JSON: ${baseUrl} is not the address of an API; ` +
        "OPENAI_BASE_URL usually ends in /v1",
      { code: "model_server_sent_page" },
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `the model server answered ${status} with text that is not JSON: ${shown(text)}`;
    throw new TransientError(message, { cause: error });
  }
}

/** Explains why a JSON body is not a completion. */
export function unusableBody(body: unknown, error: z.ZodError): TransientError | PermanentError {
  if (!isObject(body)) {
    return new TransientError(
      `the model server answered with ${shown(JSON.stringify(body))}, not with a completion`,
    );
  }
  const said = errorIn(body);
  if (said !== undefined) {
    const message = `the model server answered 200 with an error: ${said.message}`;
    return said.isPermanent
      ? new PermanentError(message, { code: "model_request_refused" })
      : new TransientError(message);
  }
  if (Array.isArray(body["choices"]) && body["choices"].length === 0) {
    return new TransientError("the model server answered with a completion that has no choices");
  }
  const faults = z.prettifyError(error).slice(0, SHOWN_CHARS_MAX);
  return new TransientError(
    `the model server answered with JSON that is not a completion: ${faults}; got ${shown(JSON.stringify(body))}`,
  );
}

/** Finds an error in a body: `{"error": {"message"}}`, `{"error": "…"}`, `{"detail": "…"}`, `{"message": "…"}`. */
function errorIn(body: Readonly<Record<string, unknown>>) {
  const { error, detail } = body;
  const held = isObject(error) ? error : body;
  const text = [error, isObject(error) ? error["message"] : undefined, detail, textIfAlone(body)].find(
    (one) => typeof one === "string" && one !== "",
  );
  if (typeof text !== "string") return undefined;
  const status = [held["code"], held["status"], body["code"]].find((one) => typeof one === "number");
  return { message: shown(text), isPermanent: PERMANENT_STATUSES.has(Number(status)) };
}

function textIfAlone({ choices, message }: Readonly<Record<string, unknown>>): unknown {
  return choices === undefined ? message : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isPage(text: string): boolean {
  return HTML.test(text.slice(0, 4_000));
}

/** Summarizes a page by its title. */
export function pageText(text: string): string {
  const title = TITLE.exec(text.slice(0, 20_000))?.[1]?.trim();
  return title === undefined || title === "" ? "an HTML page" : `the HTML page ${shown(title)}`;
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= SHOWN_CHARS_MAX ? line : `${line.slice(0, SHOWN_CHARS_MAX)}…`;
}
