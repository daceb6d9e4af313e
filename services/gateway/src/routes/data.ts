import {
  addSource,
  listSources,
  type SourceFromConfig,
  type SourceInfo,
  UPLOAD_KINDS,
} from "@planwright/api";
import { ARTIFACT_BYTES_MAX } from "@planwright/shared/artifacts";
import type { Logger } from "@planwright/shared/service";
import type { DataSource } from "@planwright/shared/tools";
import type { FastifyRequest } from "fastify";
import { registerSource, type RegisterDeps } from "../data/register-source.ts";
import type { SourceKind } from "../data/source-file.ts";
import { findFolderSources, readFolderSource } from "../data/sources-folder.ts";
import { type App, serve } from "../http/contract.ts";
import { decodeJson } from "../http/decode-json.ts";
import { Problem } from "../http/problem.ts";

const KINDS: Readonly<Record<string, SourceKind>> = UPLOAD_KINDS;
const NAME_MISSING = [
  { field: "name", message: "wanted the source's name in the query, such as ?name=sales, got nothing" },
];
const NAME_WANTED = `name: ${NAME_MISSING[0]?.message ?? ""}`;
/** What `curl -d` and `fetch` send JSON as when they are told nothing. */
const JSON_TYPES: ReadonlySet<string> = new Set([
  "",
  "application/json",
  "application/x-www-form-urlencoded",
  "text/plain",
]);
const EXTENSIONS = { csv: ".csv", sqlite: ".sqlite" } as const;

/** `GET /v1/data`: the sources that plans can query. `POST /v1/data`: one more. */
export async function dataRoutes(
  app: App,
  deps: RegisterDeps & { readonly folder: string; readonly log: Logger },
): Promise<void> {
  serve(app, listSources, async () => {
    const sources = [...deps.registry.entries().values()];
    return {
      sources: sources.toSorted((left, right) => left.name.localeCompare(right.name)).map(shownSource),
    };
  });

  // In a scope of their own: only here are bodies of this kind and size taken.
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
    serve(scope, addSource, async ({ body, headers, query }, reply) => {
      const { source, changed } = Buffer.isBuffer(body)
        ? await registerUpload(body, headers["content-type"], query.name)
        : await registerFromFolder(body);
      return reply.code(changed ? 201 : 200).send(shownSource(source));
    });
  });

  const registerUpload = (content: Buffer, contentType: string | undefined, name?: string) => {
    if (name === undefined) throw new Problem("invalid_request", NAME_WANTED, { issues: NAME_MISSING });
    const kind = KINDS[contentType?.split(";")[0]?.trim().toLowerCase() ?? ""] ?? "csv";
    return registerSource({ name, kind, files: [{ fileName: `${name}${EXTENSIONS[kind]}`, content }] }, deps);
  };

  const registerFromFolder = async ({ name, fromConfig }: SourceFromConfig) => {
    const configured = deps.registry.entries().get(fromConfig);
    if (configured?.local !== undefined && name === fromConfig) return { source: configured, changed: false };
    const there = await findFolderSources(deps.folder, deps.log);
    const source = there.find((one) => one.name === fromConfig);
    if (source === undefined) {
      const names = there.map((one) => one.name).join(", ") || "nothing";
      throw new Problem("source_not_found", `there is no ${JSON.stringify(fromConfig)}; there is ${names}`);
    }
    return registerSource({ name, kind: source.kind, files: await readFolderSource(source) }, deps);
  };
}

/** A file of another kind would be told that it is no JSON, which says nothing about what to do. */
function jsonOf(body: string, contentType = ""): unknown {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (JSON_TYPES.has(type)) return decodeJson(body);
  throw new Problem(
    "unsupported_media_type",
    `wanted ${Object.keys(KINDS).join(", ")} or application/json, got ${JSON.stringify(type)}; ` +
      "documents that plans search lie in the folder of PLANWRIGHT_DOCS",
  );
}

/** Where it lies on a machine is nobody's concern here. */
function shownSource({ files, local, writable = false, ...source }: DataSource): SourceInfo {
  const origin = local === undefined ? "upload" : "configuration";
  return { ...source, origin, writable, files: files.map(({ fileName, bytes }) => ({ fileName, bytes })) };
}
