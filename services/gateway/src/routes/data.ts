import {
  addSource,
  deleteSource,
  listSources,
  type SourceFromConfig,
  type SourceInfo,
  UPLOAD_KINDS,
} from "@planwright/api";
import { ARTIFACT_BYTES_MAX } from "@planwright/shared/artifacts";
import type { Logger } from "@planwright/shared/service";
import { type DataSource, isInstalled, type TenantSources } from "@planwright/shared/tools";
import type { FastifyRequest } from "fastify";
import type { SourceKind, Registered, SourceStore } from "../data/source-store.ts";
import { findFolderSources, readFolderSource } from "../data/register-folder.ts";
import { type App, serve } from "../http/contract.ts";
import { decodeJson } from "../http/decode-json.ts";
import { Problem } from "../http/problem.ts";

type Upload = {
  readonly content: Buffer;
  readonly contentType: string | undefined;
  readonly name?: string | undefined;
};

const KINDS: Readonly<Record<string, SourceKind>> = UPLOAD_KINDS;
const NAME_MISSING = [
  { field: "name", message: "wanted the source's name in the query, such as ?name=sales, got nothing" },
];
const NAME_WANTED = `name: ${NAME_MISSING[0]?.message ?? ""}`;
/** The content types of JSON sent by `curl -d` and `fetch` by default. */
const JSON_TYPES: ReadonlySet<string> = new Set([
  "",
  "application/json",
  "application/x-www-form-urlencoded",
  "text/plain",
]);
const EXTENSIONS = { csv: ".csv", sqlite: ".sqlite" } as const;

type DataDeps = {
  readonly store: SourceStore;
  readonly sourcesOf: (tenant: string) => TenantSources;
  /** The folder of the files that `fromConfig` names. */
  readonly folder: string;
  readonly log: Logger;
};

/**
 * `GET /v1/data`: the sources that the tenant's plans can query. `POST /v1/data`: adds one. `DELETE /v1/data/:name`: removes one.
 */
export async function dataRoutes(app: App, deps: DataDeps): Promise<void> {
  serve(app, listSources, async ({ tenant }) => ({
    sources: deps.sourcesOf(tenant).list().map(shownSource),
  }));

  serve(app, deleteSource, async ({ tenant, params: { name } }, reply) => {
    const sources = deps.sourcesOf(tenant);
    const upload = sources.upload(name);
    if (upload === undefined) throw notDeletable(name, sources.get(name));
    await deps.store.remove(upload);
    deps.log.info({ source: name, tenant }, "data source deleted");
    return reply.code(204).send(null);
  });

  // In a separate scope, since only these routes accept bodies of this kind and size.
  await app.register(async (scope: App) => {
    scope.addContentTypeParser(
      Object.keys(KINDS),
      { parseAs: "buffer", bodyLimit: ARTIFACT_BYTES_MAX },
      async (_request: unknown, body: string | Buffer) => body,
    );
    scope.removeContentTypeParser("*");
    scope.addContentTypeParser(
      "*",
      { parseAs: "string" },
      async (request: FastifyRequest, body: string | Buffer) =>
        jsonOf(body.toString(), request.headers["content-type"]),
    );
    serve(scope, addSource, async ({ tenant, body, headers, query }, reply) => {
      const { source, changed } = Buffer.isBuffer(body)
        ? await registerUpload(tenant, { content: body, contentType: headers["content-type"], ...query })
        : await registerFromFolder(tenant, body);
      return reply.code(changed ? 201 : 200).send(shownSource(source));
    });
  });

  const registerUpload = (tenant: string, { content, contentType, name }: Upload): Promise<Registered> => {
    if (name === undefined) throw new Problem("invalid_request", NAME_WANTED, { issues: NAME_MISSING });
    const kind = KINDS[contentType?.split(";")[0]?.trim().toLowerCase() ?? ""] ?? "csv";
    const files = [{ fileName: `${name}${EXTENSIONS[kind]}`, content }];
    return deps.store.put({ tenant, name, kind, files });
  };

  const registerFromFolder = async (
    tenant: string,
    { name, fromConfig }: SourceFromConfig,
  ): Promise<Registered> => {
    const configured = deps.sourcesOf(tenant).get(fromConfig);
    if (configured?.local !== undefined && name === fromConfig) return { source: configured, changed: false };
    const there = await findFolderSources(deps.folder, deps.log);
    const source = there.find((one) => one.name === fromConfig);
    if (source === undefined) {
      const names = there.map((one) => one.name).join(", ") || "none";
      throw new Problem(
        "source_not_found",
        `unknown source ${JSON.stringify(fromConfig)}; available: ${names}`,
      );
    }
    const files = await readFolderSource(source);
    // Under its own name it belongs to the installation; under another one it is the tenant's copy.
    return deps.store.put({ tenant: name === fromConfig ? null : tenant, name, kind: source.kind, files });
  };
}

function notDeletable(name: string, installed: DataSource | undefined): Problem {
  if (installed === undefined) {
    return new Problem("source_not_found", `there is no data source ${JSON.stringify(name.slice(0, 80))}`);
  }
  const how =
    installed.local === undefined
      ? "remove its file from the folder PLANWRIGHT_UPLOADS and restart the gateway"
      : "take it out of the executors' sources.json";
  return new Problem(
    "source_configured",
    `the data source ${name} belongs to the installation: its operator can ${how}`,
  );
}

/** Explains what to do when another kind of file was sent; "not JSON" alone would not help. */
function jsonOf(body: string, contentType = ""): unknown {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (JSON_TYPES.has(type)) return decodeJson(body);
  throw new Problem(
    "unsupported_media_type",
    `wanted ${Object.keys(KINDS).join(", ")} or application/json, got ${JSON.stringify(type)}; ` +
      "documents that plans can search belong in the folder PLANWRIGHT_DOCS",
  );
}

/** A client's view of a source, without its storage location. */
function shownSource(known: DataSource): SourceInfo {
  const { files, writable = false, local: _local, tenant: _tenant, store: _store, ...source } = known;
  const origin = isInstalled(known) ? "configuration" : "upload";
  return { ...source, origin, writable, files: files.map(({ fileName, bytes }) => ({ fileName, bytes })) };
}
