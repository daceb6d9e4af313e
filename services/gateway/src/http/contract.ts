/**
 * The gateway's routes implement the endpoints of `@planwright/api`: requests are validated by the endpoint's schemas before a
 * handler runs, and responses before they are sent.
 */
import { accessOf, type Endpoint, isMedia, type Media } from "@planwright/api";
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifySchema,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteOptions,
} from "fastify";
import type { z } from "zod";
import { createCheckResponse, type ResponseCheck } from "./check-response.ts";
import { parsePart } from "./parse-part.ts";
import { Problem } from "./problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    /** A page, or a third-party protocol: not part of the HTTP interface. */
    isOther?: true;
  }
  interface FastifyRequest {
    /** The decoded body before validation, as used for hashes. */
    sentBody: unknown;
  }
}

/** Handlers receive the schemas' output types, and return their input types. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
  serializer: this["schema"] extends z.ZodType ? z.input<this["schema"]> : unknown;
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** An endpoint's schemas where the framework looks for them. Non-JSON media have none. */
type RouteSchema<Of extends Endpoint> = {
  params: Of["params"];
  querystring: Of["query"];
  headers: Of["headers"];
  body: Of["body"];
  response: {
    [Status in keyof Of["responses"]]: Of["responses"][Status] extends Media | null
      ? unknown
      : Of["responses"][Status];
  };
};

type Handler<Of extends Endpoint> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  RouteSchema<Of> & FastifySchema,
  ZodTypeProvider
>;

/** The name of a request part in a refusal. */
const PARTS: Readonly<Record<string, string>> = {
  params: "path",
  querystring: "query",
  headers: "headers",
  body: "body",
};

/**
 * Makes a server validate by the schemas of endpoints, and refuse to register a route that has no endpoint or no rule for the
 * permission it needs.
 *
 * @param options.check - How to handle responses that do not fit their schema.
 */
export function standOnContract(app: FastifyInstance, { check }: { readonly check: ResponseCheck }): void {
  app.decorateRequest("sentBody", undefined);
  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart = "" }) => (value: unknown) => {
    // Uploads: the code that stores the bytes checks them.
    if (Buffer.isBuffer(value)) return { value };
    try {
      return { value: parsePart(schema, value, PARTS[httpPart] ?? httpPart) };
    } catch (error) {
      if (error instanceof Problem) return { error };
      throw error;
    }
  });
  app.addHook("preValidation", async (request) => {
    request.sentBody = request.body;
    const isEmpty = request.body === undefined || request.body === null;
    if (isEmpty && request.routeOptions.config.endpoint?.bodyOptional === true) request.body = {};
  });
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.endpoint !== undefined) return void accessOf(config.endpoint);
    if (config?.isOther === true) return;
    throw new Error(`${String(method)} ${url} has no endpoint in packages/api: register it by serve()`);
  });
  const checked = createCheckResponse(check);
  app.setSerializerCompiler<z.ZodType>(
    ({ schema, method, url, httpStatus }) =>
      (value: unknown) =>
        checked.serialize(value, { Schema: schema, what: `${String(method)} ${url} ${httpStatus}` }),
  );
  checked.watch(app);
}

/** Sends JSON that was already serialized elsewhere, such as in another thread. */
export function sendJson(reply: object, json: string): FastifyReply {
  // The schema does not matter here: responses are checked when they are sent.
  return (reply as FastifyReply).type("application/json; charset=utf-8").send(json);
}

/** Registers the handler of an endpoint under its path and the old paths that still work. */
export function serve<const Of extends Endpoint>(
  app: App,
  endpoint: Of,
  handler: Handler<Of>,
  options: Pick<RouteOptions, "attachValidation" | "bodyLimit" | "onRequest" | "wsHandler"> = {},
): void {
  const { method, params, query: querystring, headers, body } = endpoint;
  const response = Object.fromEntries(
    Object.entries(endpoint.responses).filter(([, content]) => content !== null && !isMedia(content)),
  );
  const parts = Object.entries({ params, querystring, headers, body }).filter(
    ([, Part]) => Part !== undefined,
  );
  const schema: FastifySchema = { ...Object.fromEntries(parts), response };
  for (const url of [endpoint.path, ...(endpoint.oldPaths ?? [])]) {
    // The handler's types follow from the endpoint's schemas, which are passed here.
    app.route({
      ...options,
      method,
      url,
      schema,
      config: { endpoint },
      handler: handler as RouteHandlerMethod,
    });
  }
}
