/**
 * A hostile MCP server: it does what the names of its tools say. Its one argument is JSON: a file whose text is the description
 * of its tool `moody`, and what is wrong with its list.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

type Message = { readonly id?: number | string; readonly method?: string; readonly params?: Params };
type Params = {
  readonly name?: string;
  readonly cursor?: string;
  readonly protocolVersion?: string;
  readonly _meta?: { readonly progressToken?: number };
};
type Settings = {
  readonly moodFile?: string;
  readonly list?: "hang" | "endless" | "many" | "nonsense" | "die";
  readonly initialize?: "hang" | "die";
};

const settings = JSON.parse(process.argv[2] ?? "{}") as Settings;
const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const said = (text: string) => ({ content: [{ type: "text", text }] });
const integer = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });
const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, level) => {
    const next = { $ref: `#/$defs/d${level + 1}` };
    return [`d${level}`, { anyOf: [next, next] }];
  }),
);
let isDeaf = false;
let answers: unknown[] = [];
/** Called with each response. */
let onAnswer = (): void => undefined;

const TOOLS = [
  ...[
    "garbage",
    "wrongId",
    "huge",
    "flood",
    "stderr",
    "die",
    "hang",
    "refuse",
    "nested",
    "progress",
    "asks",
  ].map((name) => tool(name)),
  ...["env", "child", "picture", "change"].map((name) => tool(name)),
  tool("lie", { outputSchema: integer }),
  tool("promise", { outputSchema: integer }),
  tool("redos", {
    inputSchema: {
      type: "object",
      properties: { a: { type: "string", pattern: "^(a+)+$" } },
      required: ["a"],
    },
  }),
  tool("bomb", {
    inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: doubling },
  }),
  tool("twin_tool"),
  tool("twin-tool"),
  tool("!!!"),
];

function listed(cursor = ""): object {
  const mood = settings.moodFile === undefined ? "calm" : readFileSync(settings.moodFile, "utf8");
  if (settings.list === "endless") return { tools: [tool(`t${cursor}x`)], nextCursor: `${cursor}1` };
  if (settings.list === "many")
    return { tools: Array.from({ length: 201 }, (_, index) => tool(`t${index}`)) };
  if (settings.list === "nonsense") return { tools: "none" };
  const extra = mood.startsWith("more") ? [tool("extra")] : [];
  return { tools: [...TOOLS, tool("moody", { description: mood.trim() }), ...extra] };
}

/** Undefined: it responds in another way, or never. */
function act(name: string, id: Message["id"], { _meta }: Params): object | undefined {
  switch (name) {
    case "lie":
      return { ...said("1"), structuredContent: { n: "one" } };
    case "promise":
    case "redos":
    case "moody":
      return said("well");
    case "garbage":
      return { content: "not a list" };
    case "wrongId":
      send({ id: 999_999, result: said("for somebody else") });
      return undefined;
    case "huge":
      return said("x".repeat(9 * 1024 * 1024));
    case "flood":
      return void setInterval(() => {
        for (let line = 0; line < 2_000; line += 1)
          send({ method: "notifications/message", params: { level: "info", data: "spam" } });
      }, 1);
    case "stderr":
      return void setInterval(() => process.stderr.write("spam\n".repeat(5_000)), 1);
    case "die":
      process.stderr.write("out of luck with key k-7777777\n");
      return process.exit(3);
    case "hang":
      isDeaf = true;
      return undefined;
    case "env":
      return said(JSON.stringify(process.env));
    case "child":
      return said(String(spawn("sleep", ["1000"], { stdio: "ignore" }).pid));
    case "nested":
      return {
        ...said("deep"),
        structuredContent: { deep: JSON.parse("[".repeat(5_000) + "]".repeat(5_000)) },
      };
    case "picture":
      return { content: [{ type: "image", data: "aGk=", mimeType: "../../etc/passwd" }] };
    case "progress":
      for (let step = 1; step <= 8; step += 1) {
        const params = { progressToken: _meta?.progressToken, progress: step };
        setTimeout(() => send({ method: "notifications/progress", params }), step * 300);
      }
      return void setTimeout(() => send({ id, result: said("at last") }), 2_500);
    case "asks":
      answers = [];
      send({ id: "ask-1", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
      send({ id: "ask-2", method: "roots/list" });
      onAnswer = () => {
        if (answers.length === 2) send({ id, result: said(JSON.stringify(answers)) });
      };
      return undefined;
    case "change":
      send({ method: "notifications/tools/list_changed" });
      return said("changed");
    default:
      return said(name);
  }
}

function handle({ id, method, params = {} }: Message): void {
  if (isDeaf || id === undefined || method === undefined) return;
  if (method === "initialize") {
    if (settings.initialize === "hang") return;
    if (settings.initialize === "die") process.exit(4);
    const { protocolVersion } = params;
    const capabilities = { tools: { listChanged: true } };
    return send({
      id,
      result: { protocolVersion, capabilities, serverInfo: { name: "hostile", version: "1" } },
    });
  }
  if (method === "ping") return send({ id, result: {} });
  if (method === "tools/list") {
    if (settings.list === "hang") return;
    if (settings.list === "die") process.exit(5);
    return send({ id, result: listed(params.cursor) });
  }
  if (method !== "tools/call" || params.name === "refuse") {
    const code = method === "tools/call" ? -32_602 : -32_601;
    return send({ id, error: { code, message: "not with me" } });
  }
  const result = act(params.name ?? "", id, params);
  if (result !== undefined) send({ id, result });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message & { readonly error?: unknown; readonly result?: unknown };
  if (message.method === undefined) {
    answers.push(message.error ?? message.result);
    onAnswer();
  } else handle(message);
});
process.stdout.write("this line is no message\n");
