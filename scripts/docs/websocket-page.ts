import { ClientMessage, ServerMessage } from "@planwright/api";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

const Variants = z.looseObject({
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** The messages of `GET /v1/ws`, from the schemas that read and check them. */
export function websocketPage(): string {
  return `# WebSocket

\`GET /v1/ws\` with the subprotocol \`planwright.v1\`. Messages are JSON texts. Each message of a client has an \`id\` (a number,
or a text of at most 128 characters) that the client chooses and that its answer carries, and a \`type\`. Unknown fields are
refused. A program sends its key as \`Authorization: Bearer <key>\`; a browser as a second subprotocol, \`bearer.\` and the key
in base64url.

## Messages of the client

${tableOfMessages(ClientMessage, "input")}

## Messages of the gateway

Refusals (\`error\`) have the codes of [HTTP](http.md#refusals); \`event\` is described in [events](events.md).

${tableOfMessages(ServerMessage, "output")}

The gateway closes with 1001 when it stops, and with 1013 when nothing was read for \`READER_STALL\`: connect again, and \`watch\`
with \`after\` at the last \`seq\` you have. One socket may have 256 messages without an answer; beyond, it is not read from.
`;
}

function tableOfMessages(Message: z.ZodType, io: "input" | "output"): string {
  const schema = Variants.parse(z.toJSONSchema(Message, { io, unrepresentable: "any" }));
  const rows = (schema.oneOf ?? schema.anyOf ?? []).map((variant) => {
    const { properties = {}, required = [], description = "" } = readSchema(variant);
    const { enum: several, const: one } = readSchema(properties["type"]);
    const types = z.array(z.string()).parse(several ?? [one]);
    const fields = Object.entries(properties).filter(
      ([name]) => name !== "type" && (io === "output" || name !== "id"),
    );
    const texts = fields.map(([name, field]) => fieldText(name, field, required.includes(name)));
    return [types.map((type) => `\`${type}\``).join(", "), texts.join("; "), description];
  });
  return tableOf(["type", io === "input" ? "fields besides `id`" : "fields", "meaning"], rows);
}

function fieldText(name: string, schema: unknown, isRequired: boolean): string {
  const { description } = readSchema(schema);
  const type = LONG[name] ?? schemaText(schema, 1);
  return `\`${name}\`${isRequired ? "" : "?"}: ${type}${description === undefined ? "" : ` (${description})`}`;
}

/** Described on pages of their own. */
const LONG: Readonly<Record<string, string>> = { event: "object", plan: "object", code: "text" };
