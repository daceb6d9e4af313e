/** The address and headers of requests to a model server: for calls, probes and checks alike. */

/** A model on a server, with its key and headers. */
export type ModelTarget = {
  /** Can end in a query, such as Azure's `?api-version=…`, which is then part of every request. */
  readonly baseUrl: string;
  /** Absent when none is set: local servers need none, the public one rejects the call. */
  readonly apiKey: string | undefined;
  readonly model: string;
  /** The header for the key; `Authorization: Bearer` when absent. */
  readonly keyHeader?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** OPENAI_API_KEY is set but not sent, because this server is not that of OPENAI_BASE_URL. */
  readonly keyWithheld?: true | undefined;
  readonly settingNames?: SettingNames | undefined;
};

/** The settings to change when a server rejects its calls. */
export type SettingNames = { readonly key: string; readonly url: string; readonly model: string };

export type ModelAddress = {
  /** The base URL without its query and without a trailing slash. */
  readonly base: string;
  /** For example Azure's `api-version`; part of every request. */
  readonly query: Readonly<Record<string, string>>;
  /** The key, as `Authorization: Bearer` or in the configured header, and the configured headers, which take precedence. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The address of a model server according to the settings. */
export function modelAddress({
  baseUrl,
  apiKey,
  keyHeader,
  headers = {},
}: Pick<ModelTarget, "baseUrl" | "apiKey" | "keyHeader" | "headers">): ModelAddress {
  const [base = "", search = ""] = baseUrl.split("?", 2);
  const sent = new Headers();
  if (apiKey !== undefined) {
    if (keyHeader === undefined) sent.set("authorization", `Bearer ${apiKey}`);
    else sent.set(keyHeader, apiKey);
  }
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  return {
    base: base.replace(/\/+$/, ""),
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: Object.fromEntries(sent),
  };
}

/** The URL of one resource of the server, such as `/models`, with the configured query. */
export function modelUrl({ base, query }: ModelAddress, path: string): string {
  const search = new URLSearchParams(query).toString();
  return `${base}${path}${search === "" ? "" : `?${search}`}`;
}

/** Whether two base URLs have the same scheme, host and port. */
export function isSameServer(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}
