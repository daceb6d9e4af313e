import { VERSION_HEADER } from "@planwright/api/version-header";
import { VERSION } from "@planwright/shared/version";
import type { z } from "zod";
import { CliError, EXIT } from "../exit-codes.ts";
import { followEvents, type NumberedEvent } from "./follow-events.ts";
import { readText } from "./read-text.ts";
import { refusalOf, unreachable } from "./refusal.ts";
import { jsonOf } from "./json-of.ts";

const TIMEOUT_MS = 30_000;

/**
 * The gateway's HTTP interface. Every reply is held to a schema.
 *
 * Its calls throw {@link CliError}: `unreachable`, `unauthorized`, `refused`, or `failed` for what no Planwright answers.
 */
export type Client = {
  /** Where it is. */
  readonly base: string;
  get<Schema extends z.ZodType>(path: string, Reply: Schema): Promise<z.output<Schema>>;
  post<Schema extends z.ZodType>(path: string, body: PostBody, Reply: Schema): Promise<z.output<Schema>>;
  /** A plan's facts, from the one after `after` up to its end, over as many connections as it takes. */
  events(planId: string, options: { after: number; signal: AbortSignal }): AsyncGenerator<NumberedEvent>;
};

export type PostBody = {
  readonly json: object;
  /** A repeat with the same key and body is answered as the first. */
  readonly idempotencyKey?: string;
};

type Sent = {
  readonly method?: "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ClientOptions = {
  /** Its path is put before every path. */
  readonly url: URL;
  readonly apiKey?: string;
  /** Called with the gateway's version after each answer of a gateway of another one. */
  readonly onOtherVersion?: (version: string) => void;
};

export function createClient({ url, apiKey, onOtherVersion }: ClientOptions): Client {
  const base = url.href.replace(/\/$/, "");
  const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const ask = async <Schema extends z.ZodType>(
    path: string,
    Reply: Schema,
    { headers, ...sent }: Sent = {},
  ): Promise<z.output<Schema>> => {
    const all = { accept: "application/json", ...key, ...headers };
    const { status, text, version } = await exchange(base, path, { ...sent, headers: all });
    if (version !== null && version !== VERSION) onOtherVersion?.(version);
    if (status >= 400) throw refusalOf(status, text);
    const parsed = Reply.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data;
    throw new CliError(EXIT.failed, `what answers at ${base} is no Planwright gateway of this version`, {
      cause: parsed.error,
    });
  };
  return {
    base,
    get: ask,
    post(path, { json, idempotencyKey }, Reply) {
      const repeat = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
      const headers = { "content-type": "application/json", ...repeat };
      return ask(path, Reply, { method: "POST", body: JSON.stringify(json), headers });
    },
    events: (planId, { after, signal }) =>
      followEvents({
        url: `${base}/v1/plans/${encodeURIComponent(planId)}/events`,
        headers: key,
        after,
        signal,
      }),
  };
}

async function exchange(
  base: string,
  path: string,
  sent: Sent,
): Promise<{ status: number; text: string; version: string | null }> {
  try {
    const response = await fetch(`${base}${path}`, { ...sent, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const version = response.headers.get(VERSION_HEADER);
    return { status: response.status, text: await readText(response), version };
  } catch (error) {
    throw unreachable(base, error);
  }
}
