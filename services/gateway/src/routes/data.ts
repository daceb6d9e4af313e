import { SourceName } from "@planwright/plan";
import { ARTIFACT_BYTES_MAX } from "@planwright/shared/artifacts";
import type { Logger } from "@planwright/shared/service";
import { DataSource } from "@planwright/shared/tools";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { registerSource, type RegisterDeps } from "../data/register-source.ts";
import type { SourceKind } from "../data/source-file.ts";
import { findFolderSources, readFolderSource } from "../data/sources-folder.ts";
import { parsePart } from "../http/parse-part.ts";
import { Problem } from "../http/problem.ts";

const KINDS: Readonly<Record<string, SourceKind>> = {
  "text/csv": "csv",
  "application/vnd.sqlite3": "sqlite",
  "application/x-sqlite3": "sqlite",
};
const EXTENSIONS = { csv: ".csv", sqlite: ".sqlite" } as const;

const Query = z.object({ name: SourceName });
const FromConfig = z.strictObject({
  name: SourceName,
  fromConfig: z.string().min(1).max(256).meta({
    description:
      "A file of PLANWRIGHT_UPLOADS, by its source's name, or a source of the executors' configuration, which is there already and keeps its name.",
  }),
});
const Source = DataSource.omit({ files: true, local: true }).extend({
  origin: z.enum(["upload", "configuration"]).meta({
    description: "Whether it was uploaded, or lies where the configuration of an executor says.",
  }),
  writable: z.boolean().meta({ description: "Whether plans may change it." }),
  files: z.array(z.object({ fileName: z.string(), bytes: z.int() })),
});

/** `GET /v1/data`: the sources that plans can query. `POST /v1/data`: one more. */
export async function dataRoutes(
  app: FastifyInstance,
  deps: RegisterDeps & { readonly folder: string; readonly log: Logger },
): Promise<void> {
  const schema = {
    summary: "The data sources that plans can query",
    tags: ["data"],
    response: { 200: z.object({ sources: z.array(Source) }) },
  };
  app.get("/v1/data", { schema }, async () => {
    const sources = [...deps.registry.entries().values()];
    return {
      sources: sources.toSorted((left, right) => left.name.localeCompare(right.name)).map(shownSource),
    };
  });

  // In a scope of their own: only here are bodies of this kind and size taken.
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      Object.keys(KINDS),
      { parseAs: "buffer", bodyLimit: ARTIFACT_BYTES_MAX },
      async (_request: unknown, body: string | Buffer) => body,
    );
    const uploadSchema = {
      summary: "Add a data source",
      description:
        "A CSV file (`text/csv`) or a SQLite file (`application/vnd.sqlite3`) with its name as `?name=`, or JSON `{name, fromConfig}`. A source of this name is replaced; 200 when it is the same already.",
      tags: ["data"],
      body: FromConfig,
      response: { 200: Source, 201: Source },
    };
    scope.post("/v1/data", { schema: uploadSchema }, async (request, reply) => {
      const { source, changed } = Buffer.isBuffer(request.body)
        ? await registerUpload(request.body, request.headers["content-type"], request.query)
        : await registerFromFolder(request.body);
      return reply.code(changed ? 201 : 200).send(shownSource(source));
    });
  });

  const registerUpload = (content: Buffer, contentType: string | undefined, query: unknown) => {
    const { name } = parsePart(Query, query, "query");
    const kind = KINDS[contentType?.split(";")[0]?.trim().toLowerCase() ?? ""] ?? "csv";
    return registerSource({ name, kind, files: [{ fileName: `${name}${EXTENSIONS[kind]}`, content }] }, deps);
  };

  const registerFromFolder = async (body: unknown) => {
    const { name, fromConfig } = parsePart(FromConfig, body, "body");
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

/** Where it lies on a machine is nobody's concern here. */
function shownSource({ files, local, writable = false, ...source }: DataSource): z.output<typeof Source> {
  const origin = local === undefined ? "upload" : "configuration";
  return { ...source, origin, writable, files: files.map(({ fileName, bytes }) => ({ fileName, bytes })) };
}
