import type { z } from "zod";
import { CliError, EXIT } from "../exit-codes.ts";
import { readText } from "./read-text.ts";
import { refusalOf, unreachable } from "./refusal.ts";

const TIMEOUT_MS = 30_000;

/** The gateway's HTTP interface. Every reply is held to a schema. */
export type Client = {
  /** @throws {CliError} `unreachable`, `unauthorized`, `refused`, or `failed` for what no Planwright answers. */
  get<Schema extends z.ZodType>(path: string, Reply: Schema): Promise<z.output<Schema>>;
};

/** @param url - Its path is put before every path. */
export function createClient({ url, apiKey }: { readonly url: URL; readonly apiKey?: string }): Client {
  const base = url.href.replace(/\/$/, "");
  const headers = {
    accept: "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return {
    async get(path, Reply) {
      const { status, text } = await exchange(base, path, { headers });
      if (status >= 400) throw refusalOf(status, text);
      const parsed = Reply.safeParse(jsonOf(text));
      if (parsed.success) return parsed.data;
      throw new CliError(EXIT.failed, `what answers at ${base} is no Planwright gateway of this version`, {
        cause: parsed.error,
      });
    },
  };
}

async function exchange(
  base: string,
  path: string,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(`${base}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await readText(response) };
  } catch (error) {
    throw unreachable(base, error);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
