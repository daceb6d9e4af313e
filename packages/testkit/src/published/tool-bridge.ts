/** Tools that run in the test's own process, behind a server that the executor's proxy tools call. */
import type { Tool, ToolContext } from "@planwright/tools-kit";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import type { ToolCall } from "./fake-tool.ts";

const BODY_BYTES_MAX = 16 * 1_024 * 1_024;
/** Number of effect keys sent with a call, as many as it may need. */
const EFFECT_KEYS = 100;

/** A call by the executor's proxy of a tool. */
type Request = {
  readonly tool: string;
  readonly what: "run" | "check";
  readonly args: unknown;
  readonly context: Pick<ToolContext, "planId" | "stepId" | "item" | "attempt" | "today" | "feedback">;
  readonly effectKeys: readonly string[];
};

type Note = readonly ["noteFacts" | "requireReplan" | "noteTruncated" | "progress", unknown];

type ToolBridge = AsyncDisposable & {
  readonly calls: readonly (ToolCall & { readonly tool: string })[];
};

/** Serves the tools, and writes a proxy file for each into `folder`, which the executor loads. */
export async function bridgeTools(tools: readonly Tool[], folder: string): Promise<ToolBridge> {
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  const calls: (ToolCall & { readonly tool: string })[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = JSON.parse(await bodyOf(request)) as Request;
    const tool = byName.get(asked.tool);
    const { planId, stepId, item, attempt } = asked.context;
    if (asked.what === "run")
      calls.push({ tool: asked.tool, planId, stepId, item, attempt, args: asked.args });
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const notes: Note[] = [];
    const reply = await replyOf(async () => {
      if (tool === undefined) throw new Error(`the test has no tool ${asked.tool}`);
      return tool[asked.what](asked.args, contextOf(asked, gone.signal, notes));
    });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...reply, notes }));
  };
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("wanted a port, got none");
  const url = `http://127.0.0.1:${address.port}/`;
  for (const [index, { spec }] of tools.entries()) {
    await writeFile(path.join(folder, `tool-${index}.mjs`), bridgeFile(url, spec));
  }
  return {
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The parts of the context that a test's tool can use; the other parts throw an error. */
function contextOf({ context, effectKeys }: Request, signal: AbortSignal, notes: Note[]): ToolContext {
  const note = (name: Note[0]) => (value?: unknown) => void notes.push([name, value ?? null]);
  const ignore = () => undefined;
  return {
    ...context,
    signal,
    effectKey(call = 0) {
      const key = effectKeys[call];
      if (key === undefined)
        throw new RangeError(`a test has ${EFFECT_KEYS} effect keys for a call, got ${call}`);
      return key;
    },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    noteFacts: note("noteFacts"),
    requireReplan: note("requireReplan"),
    noteTruncated: note("noteTruncated"),
    progress: note("progress"),
    get model(): never {
      return absent("model");
    },
    get workspace(): never {
      return absent("workspace");
    },
    get sources(): never {
      return absent("sources");
    },
  };
}

function absent(name: string): never {
  throw new Error(
    `context.${name} is not available to tools that run in the test: pass such a tool your own context`,
  );
}

async function replyOf(run: () => Promise<unknown>): Promise<object> {
  try {
    return { output: (await run()) ?? null };
  } catch (error) {
    if (!(error instanceof Error)) return { error: { name: "", message: String(error) } };
    const { name, message } = error;
    const code = "code" in error ? error.code : undefined;
    const retryAfterMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
    return { error: { name, message, code, retryAfterMs } };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    pieces.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes > BODY_BYTES_MAX) throw new Error(`wanted at most ${BODY_BYTES_MAX} bytes of arguments`);
  }
  return Buffer.concat(pieces).toString();
}

/** The source of a tool that calls the test. It converts errors to those of the executor's own kit. */
function bridgeFile(url: string, spec: Tool["spec"]): string {
  return `import { defineTool, NotDoneError, PermanentError, TransientError, z } from "@planwright/tools-kit";

const spec = ${JSON.stringify(spec)};
const ERRORS = { NotDoneError, PermanentError, TransientError };

async function call(what, args, context) {
  const { planId, stepId, item, attempt, today, feedback, signal } = context;
  const effectKeys = Array.from({ length: ${EFFECT_KEYS} }, (_, index) => context.effectKey(index));
  const body = { tool: spec.name, what, args, context: { planId, stepId, item, attempt, today, feedback }, effectKeys };
  const response = await fetch(${JSON.stringify(url)}, { method: "POST", body: JSON.stringify(body), signal });
  const { output, error, notes } = await response.json();
  for (const [name, value] of notes) context[name](value);
  if (error === undefined) return output;
  throw new (ERRORS[error.name] ?? Error)(error.message, { code: error.code, retryAfterMs: error.retryAfterMs });
}

const { input, output, ...about } = spec;
const made = defineTool({
  ...about,
  input: z.fromJSONSchema(input),
  output: z.fromJSONSchema(output),
  run: (args, context) => call("run", args, context),
  check: (args, context) => call("check", args, context),
});
export default { ...made, spec };
`;
}
