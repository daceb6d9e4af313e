/** Where requests to a model server go and what every one of them carries: for calls, looks and checks alike. */

/** A model on a server, and what is sent to it. */
export type ModelTarget = {
  /** May end in a query, such as Azure's `?api-version=…`, which every request then carries. */
  readonly baseUrl: string;
  /** Absent when none is set: local servers need none, the public one refuses the call. */
  readonly apiKey: string | undefined;
  readonly model: string;
  /** The header of the key; as `Authorization: Bearer` when absent. */
  readonly keyHeader?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** OPENAI_API_KEY is set, and not sent, because this is another server than that of OPENAI_BASE_URL. */
  readonly keyWithheld?: true | undefined;
  readonly settingNames?: SettingNames | undefined;
};

/** What an operator changes when a server refuses its calls. */
export type SettingNames = { readonly key: string; readonly url: string; readonly model: string };

export type ModelAddress = {
  /** The base URL, without its query and without a slash at its end. */
  readonly base: string;
  /** Such as Azure's `api-version`; part of every request. */
  readonly query: Readonly<Record<string, string>>;
  /** The key, as `Authorization: Bearer` or in the header of the settings, and the headers of the settings, which win. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The address of a model server, as the settings give it. */
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

/** The URL of one resource of the server, such as `/models`, with the query of the settings. */
export function modelUrl({ base, query }: ModelAddress, path: string): string {
  const search = new URLSearchParams(query).toString();
  return `${base}${path}${search === "" ? "" : `?${search}`}`;
}

/** Whether two base URLs have scheme, host and port in common. */
export function isSameServer(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}
