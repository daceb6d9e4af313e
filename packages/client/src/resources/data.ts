/** Data sources that plans can query. */
import type { SourceFromConfig, SourceInfo } from "@planwright/api";
import { isProblem } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";
import { uploadFetch } from "./upload-fetch.ts";

export type Upload = {
  /** A letter, then letters, digits, `_` or `-`: the `source` that plans name. */
  readonly name: string;
  /** The file's bytes or text. */
  readonly data: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  /** Default `csv`. */
  readonly kind?: "csv" | "sqlite" | undefined;
};

export type DataApi = {
  list(options?: RequestOptions): Promise<readonly SourceInfo[]>;
  /**
   * Makes a file a data source. It replaces an uploaded source of this name.
   *
   * @param options.onProgress - Called with the part that has been sent, from 0 to 1. Only browsers report parts.
   * @throws {ProblemError} `invalid_data`, `source_configured`, `body_too_large`
   */
  upload(
    upload: Upload,
    options?: RequestOptions & { readonly onProgress?: ((part: number) => void) | undefined },
  ): Promise<SourceInfo>;
  /** Makes a configured file a data source, by its name there. */
  add(source: SourceFromConfig, options?: RequestOptions): Promise<SourceInfo>;
  /**
   * Deletes an upload of your own, with its files. Plans that query it afterwards fail at that step.
   *
   * @throws {ProblemError} `source_not_found`, `source_configured`
   */
  delete(name: string, options?: RequestOptions): Promise<void>;
};

const TYPES = { csv: "text/csv", sqlite: "application/vnd.sqlite3" } as const;

export function dataOf(transport: Transport): DataApi {
  return {
    list: async (options) => (await transport.json("listSources", options)).sources,
    upload: ({ name, data, kind = "csv" }, { onProgress, ...options } = {}) =>
      transport.json("addSource", {
        ...options,
        query: { name },
        content: { type: TYPES[kind], data },
        ...(onProgress === undefined ? {} : { fetch: uploadFetch(transport.settings.fetch, onProgress) }),
      }),
    add: (source, options) => transport.json("addSource", { ...options, body: source }),
    delete: async (name, options) => {
      try {
        await transport.text("deleteSource", { ...options, params: { name } });
      } catch (error) {
        // An earlier attempt has deleted it; its answer was lost.
        if (!isProblem(error, "source_not_found") || error.attempts === 1) throw error;
      }
    },
  };
}
