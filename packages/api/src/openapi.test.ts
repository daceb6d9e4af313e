// Checks the document with a third-party linter, and against the endpoints that it is generated from.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ENDPOINTS, isGuarded, openApiDocument, problemsOf } from "./index.ts";

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  deprecated: z.boolean().optional(),
  security: z.array(z.unknown()).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const Document = z.looseObject({
  openapi: z.literal("3.1.0"),
  security: z.array(z.unknown()),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

const json = openApiDocument({ version: "0.1.0", withKeys: true });
const document = Document.parse(json);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1, and its examples fit their schemas", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      rules: {
        // A WebSocket responds with 101, and its messages belong to no path.
        "operation-2xx-response": "off",
        "no-unused-components": "off",
        // Not every call has its own client errors: health has none.
        "operation-4xx-response": "off",
        // This rule mistakes the key `$ref` of a plan-language reference for the one of JSON Schema.
        "no-required-schema-properties-undefined": "off",
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(json), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it("has every endpoint under a unique name", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const current = operations.filter(({ deprecated }) => deprecated !== true);
    expect(current.map(({ operationId }) => operationId).sort()).toEqual(
      ENDPOINTS.map(({ id }) => id).sort(),
    );
  });

  it("lists the old names of an endpoint too, marked as deprecated", () => {
    const old = ENDPOINTS.flatMap(({ oldPaths = [] }) =>
      oldPaths.map((path) => path.replaceAll(/:(\w+)/g, "{$1}")),
    );
    expect(old).toContain("/v1/kpis");
    for (const path of old) {
      const methods = Object.values(document.paths[path] ?? {});
      expect([path, methods.map(({ deprecated }) => deprecated)]).toEqual([path, [true]]);
    }
  });

  it("lists every code with which an endpoint may refuse a request", () => {
    for (const endpoint of ENDPOINTS) {
      const operation = operations.find(({ operationId }) => operationId === endpoint.id);
      const said = Object.values(operation?.responses ?? {}).map(({ description }) => description);
      for (const code of problemsOf(endpoint)) {
        expect([endpoint.id, said.join("\n")]).toEqual([endpoint.id, expect.stringContaining(`\`${code}\``)]);
      }
    }
  });

  it("requires a key exactly where one is needed", () => {
    expect(document.security).toEqual([{ key: [] }]);
    for (const { id, path } of ENDPOINTS) {
      const operation = operations.find(({ operationId }) => operationId === id);
      expect([id, operation?.security]).toEqual([id, isGuarded(path) ? undefined : []]);
    }
    expect(openApiDocument({ version: "0.1.0", withKeys: false })["security"]).toEqual([{ key: [] }, {}]);
  });

  it("describes the fields of views and events", () => {
    const Described = z.looseObject({ properties: z.record(z.string(), z.unknown()) });
    const { PlanView, StepView } = document.components.schemas;
    const [plan, step] = [PlanView, StepView].map((schema) => Described.parse(schema).properties);
    expect([plan?.["ended"], step?.["replacedBy"]]).toEqual([
      expect.objectContaining({ description: expect.stringMatching(/^Whether the plan has finished/) }),
      expect.objectContaining({ description: expect.stringMatching(/^The fallback that succeeded/) }),
    ]);
  });

  it("describes the WebSocket messages in addition to the paths", () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(["ClientMessageInput", "ServerMessage"]),
    );
  });
});
