/** The OpenAPI 3.1 document of the HTTP interface, generated from its endpoints and schemas. */
import { type Role, ROLES, rolesWith } from "@planwright/plan";
import { z } from "zod";
import { accessOf } from "./access.ts";
import { isGuarded, isMedia, type Endpoint, type ResponseContent, TAGS } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { componentsOf, type JsonSchema, type SchemaUse } from "./openapi-schemas.ts";
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  PROBLEM_TYPE,
  PROBLEMS,
  ProblemBody,
  type ProblemCode,
  ROLE_PROBLEMS,
} from "./problems.ts";

type Json = { readonly [key: string]: unknown };

const JSON_TYPE = "application/json";
const SECURITY = { key: [] };
/** The description of a response without one. */
export const DONE = "Done.";

/**
 * Describes every endpoint with its parameters, bodies, responses and refusals.
 *
 * @param options.version - The version of the system that serves the document.
 * @param options.withKeys - Whether requests require a key.
 */
export function openApiDocument({
  version,
  withKeys,
}: {
  readonly version: string;
  readonly withKeys: boolean;
}): Json {
  const components = componentsOf();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of ENDPOINTS) {
    for (const path of [endpoint.path, ...(endpoint.oldPaths ?? [])]) {
      const operations = (paths[shownPath(path)] ??= {});
      operations[endpoint.method.toLowerCase()] = {
        ...operationOf(endpoint, components.use),
        ...(path === endpoint.path ? {} : oldName(endpoint, path)),
        ...(isGuarded(path) ? {} : { security: [] }),
      };
    }
  }
  // Described for WebSocket clients, although no path refers to them.
  components.use("ClientMessage", "input");
  components.use("ServerMessage", "output");
  return {
    openapi: "3.1.0",
    info: {
      title: "Planwright",
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description:
        "Submit a goal. It becomes a plan that runs in parallel and ends with an answer. Errors are problem+json with a stable `code`.",
    },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    // Without keys, a request may still carry one.
    security: withKeys ? [SECURITY] : [SECURITY, {}],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key of the gateway, or an access token from its identity provider. The role determines the permitted operations.",
        },
      },
      schemas: components.schemas(),
    },
  };
}

type Use = (schema: z.ZodType, io: SchemaUse) => JsonSchema;

function operationOf(endpoint: Endpoint, use: Use): Json {
  const { id, tag, summary } = endpoint;
  const description = describedWithRoles(endpoint);
  const parameters = parametersOf(endpoint);
  const requestBody = requestBodyOf(endpoint, use);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: withRefusals(endpoint, responsesOf(endpoint, use), use),
  };
}

function describedWithRoles(endpoint: Endpoint): string | undefined {
  const roles = rolesOf(endpoint);
  const { description } = endpoint;
  if (roles.length === 0) return description;
  const needed =
    roles.length === 1 ? `Requires the role ${roles[0]}.` : `Requires one of the roles ${roles.join(", ")}.`;
  return description === undefined ? needed : `${description} ${needed}`;
}

function oldName(endpoint: Endpoint, oldPath: string): Json {
  const { id, path } = endpoint;
  const word = oldPath.split("/").findLast((part) => part !== "" && !part.startsWith(":"));
  return {
    operationId: `${id}_${word}`,
    deprecated: true,
    description: [
      `Old name of \`${shownPath(path)}\`, available for one more release.`,
      describedWithRoles(endpoint),
    ]
      .filter(Boolean)
      .join(" "),
  };
}

/** Turns `/plans/:planId/artifacts/*` into `/plans/{planId}/artifacts/{name}`. */
function shownPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}").replace("*", `{${nameOfRest("*")}}`);
}

function nameOfRest(name: string): string {
  return name === "*" ? "name" : name;
}

function parametersOf({ params, query, headers }: Endpoint): Json[] {
  return [
    ...parametersIn("path", params),
    ...parametersIn("query", query),
    // OpenAPI describes media types and security elsewhere.
    ...parametersIn("header", headers).filter(({ name }) => name !== "accept"),
  ];
}

function parametersIn(place: string, schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: describeCoerced });
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = typeof property === "boolean" ? {} : property;
    return {
      name: nameOfRest(name),
      in: place,
      required: place === "path" || json.required?.includes(name) === true,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** Describes text that is parsed as a number by the range of that number. */
function describeCoerced({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: JsonSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type !== "pipe" || def.out._zod.def.type !== "number") return;
  const { $schema: _dialect, ...number } = z.toJSONSchema(def.out);
  Object.assign(jsonSchema, number);
}

function requestBodyOf({ body, bodyOptional, bodyMedia, example }: Endpoint, use: Use): Json | undefined {
  const content: Record<string, Json> = {};
  if (body !== undefined) {
    content[JSON_TYPE] = {
      schema: use(body, "input"),
      ...(example?.body === undefined ? {} : { example: example.body }),
    };
  }
  for (const type of bodyMedia?.mediaTypes ?? []) content[type] ??= {};
  if (Object.keys(content).length === 0) return undefined;
  return {
    required: bodyOptional !== true,
    ...(bodyMedia === undefined ? {} : { description: bodyMedia.description }),
    content,
  };
}

type Response = { readonly description: string; readonly content?: Json };

function responsesOf({ responses, example }: Endpoint, use: Use): Record<string, Response> {
  const first = Object.keys(responses)[0];
  return Object.fromEntries(
    Object.entries(responses).map(([status, content]) => [
      status,
      responseOf(content, use, status === first ? example?.response : undefined),
    ]),
  );
}

function responseOf(content: ResponseContent, use: Use, example: unknown): Response {
  if (content === null) return { description: "No content." };
  if (isMedia(content)) {
    const { mediaTypes, description } = content;
    return { description, content: Object.fromEntries(mediaTypes.map((type) => [type, {}])) };
  }
  return {
    description: content.description ?? DONE,
    content: {
      [JSON_TYPE]: { schema: use(content, "output"), ...(example === undefined ? {} : { example }) },
    },
  };
}

/** The codes with which an endpoint may refuse a request. */
export function problemsOf(endpoint: Endpoint): readonly ProblemCode[] {
  const { path, body, bodyMedia, problems = [] } = endpoint;
  const takesBody = body !== undefined || bodyMedia !== undefined;
  const codes = [
    ...COMMON_PROBLEMS,
    ...(rolesOf(endpoint).length === 0 ? [] : ROLE_PROBLEMS),
    ...(takesBody ? BODY_PROBLEMS : []),
    ...problems,
  ];
  return [...new Set(codes)].filter((code) => code !== "unauthorized" || isGuarded(path));
}

/** The roles that may make a call; empty when every key may make it, or no key is needed. */
export function rolesOf(endpoint: Endpoint): Role[] {
  const access = accessOf(endpoint);
  const roles = access === "public" ? ROLES : rolesWith(access);
  return roles.length === ROLES.length ? [] : [...roles];
}

/** Adds one response per status that lists its codes, next to the endpoint's own response with that status. */
function withRefusals(
  endpoint: Endpoint,
  responses: Readonly<Record<string, Response>>,
  use: Use,
): Record<string, Response> {
  const all: Record<string, Response> = { ...responses };
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => PROBLEMS[code].status);
  for (const [status, codes] of byStatus) {
    const refusals = codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`);
    const own = all[status];
    all[status] = {
      description: [own?.description, ...refusals].filter(Boolean).join(" "),
      content: { ...own?.content, [PROBLEM_TYPE]: { schema: use(ProblemBody, "output") } },
    };
  }
  return all;
}
