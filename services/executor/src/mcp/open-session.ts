/** One connection to a server, from the first message until either side ends it. Loaded only when there is a server. */
import {
  type CallToolResult,
  Client,
  type Transport,
  type FetchLike,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { type JsonObject, JsonValue, isJsonObject } from "@planwright/plan";
import { VERSION } from "@planwright/shared/service";
import { failureOf } from "./failure-of.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { HttpTarget, StdioTarget } from "./mcp-file.ts";
import { createStdioTransport } from "./stdio-transport.ts";
import { createFloodGate, type FloodGate } from "./flood-gate.ts";

/** Includes the time to fetch a server from a registry. */
const CONNECT_MS_MAX = 60_000;
/** How long a server may take to confirm that it supports the newer protocol. */
const PROBE_MS_MAX = 10_000;
const LIST_MS_MAX = 30_000;
const ALIVE_MS_MAX = 3_000;
const PAGES_MAX = 20;
const TOOLS_MAX = 200;
const CHANGES_SETTLE_MS = 500;

export type SessionCall = {
  /** The tool's name in plans. */
  readonly name: string;
  readonly tool: ListedTool;
  readonly args: JsonObject;
  readonly signal: AbortSignal;
  /** How long the server may be silent. */
  readonly idleMs: number;
  readonly timeoutMs: number;
  readonly onProgress: (progress: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => void;
};

export type Session = AsyncDisposable & {
  /** @throws When the server does not answer, or lists more than 200 tools or 20 pages. */
  listTools(signal: AbortSignal): Promise<readonly ListedTool[]>;
  /**
   * Ends the session when the server no longer answers.
   *
   * @throws The signal's reason, or the failure classified for a step.
   */
  call(call: SessionCall): Promise<CallToolResult>;
  /** Resolves with the reason when the session has ended. */
  readonly ended: Promise<string>;
};

/** @throws When the server does not exist or does not answer within a minute. */
export async function openSession(
  target: StdioTarget | HttpTarget,
  { signal, onListChanged }: { readonly signal: AbortSignal; readonly onListChanged: () => void },
): Promise<Session> {
  const ended = Promise.withResolvers<string>();
  const client = createClient(onListChanged);
  const giveUp = (why: string): void => {
    ended.resolve(reason() ?? why);
    client.close().catch(() => undefined);
  };
  const giveUpSilent = async (): Promise<void> => {
    if (!(await isAlive(client))) giveUp("it does not answer");
  };
  const { transport, reason } = transportFor(target, giveUp);
  client.onclose = () => ended.resolve(reason() ?? "it was closed");
  // Output that is not part of the protocol; it was counted on arrival.
  client.onerror = () => undefined;
  try {
    await client.connect(transport, { signal, timeout: CONNECT_MS_MAX });
  } catch (error) {
    await transport.close().catch(() => undefined);
    const why = reason();
    throw why === undefined || !(error instanceof Error) ? error : new Error(why, { cause: error });
  }
  return {
    ended: ended.promise,
    listTools: (during) => listTools(client, during),
    async call({ name, ...asked }) {
      try {
        return await callTool(client, asked);
      } catch (cause) {
        const failure = failureOf(cause, name);
        if (failure.session === "lost") giveUp(failure.error.message);
        if (failure.session === "suspect") void giveUpSilent();
        asked.signal.throwIfAborted();
        throw failure.error;
      }
    },
    async [Symbol.asyncDispose]() {
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}

function createClient(onListChanged: () => void): Client {
  return new Client(
    { name: "planwright", version: VERSION },
    {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS_MAX } },
      listMaxPages: PAGES_MAX,
      listChanged: {
        tools: { autoRefresh: false, debounceMs: CHANGES_SETTLE_MS, onChanged: onListChanged },
      },
    },
  );
}

async function listTools(client: Client, signal: AbortSignal): Promise<readonly ListedTool[]> {
  const limits = { timeout: LIST_MS_MAX, maxTotalTimeout: LIST_MS_MAX };
  const { tools } = await client.listTools(undefined, { signal, cacheMode: "bypass", ...limits });
  if (tools.length > TOOLS_MAX) {
    throw new RangeError(`wanted at most ${TOOLS_MAX} tools, it lists ${tools.length}`);
  }
  return tools.map(({ name, description, inputSchema, outputSchema, annotations }) => ({
    name,
    description,
    inputSchema: objectOf(inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: objectOf(outputSchema) }),
    annotations,
  }));
}

async function callTool(
  client: Client,
  { tool: { name, inputSchema }, args, signal, idleMs, timeoutMs, onProgress }: Omit<SessionCall, "name">,
): Promise<CallToolResult> {
  return client.callTool(
    { name, arguments: args },
    {
      signal,
      timeout: idleMs,
      maxTotalTimeout: timeoutMs,
      resetTimeoutOnProgress: true,
      onprogress: onProgress,
      toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
    },
  );
}

async function isAlive(client: Client): Promise<boolean> {
  const timeout = ALIVE_MS_MAX;
  const asked =
    client.getProtocolEra() === "modern" ? client.discover({ timeout }) : client.ping({ timeout });
  return asked.then(
    () => true,
    () => false,
  );
}

function transportFor(
  target: StdioTarget | HttpTarget,
  onFlood: (why: string) => void,
): { readonly transport: Transport; readonly reason: () => string | undefined } {
  if (target.kind === "stdio") {
    const transport = createStdioTransport(target);
    return { transport, reason: transport.reason };
  }
  let flooded: string | undefined;
  const noteFlood = (why: string): void => {
    flooded ??= why;
    onFlood(why);
  };
  return { transport: createHttpTransport(target, noteFlood), reason: () => flooded };
}

function objectOf(value: unknown): JsonObject {
  const parsed = JsonValue.safeParse(value).data;
  return parsed !== undefined && isJsonObject(parsed) ? parsed : {};
}

/** For one response that is not an event stream. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const EVENTS = "text/event-stream";

/** @param onFlood - Called when the server sends more than the limit. */
function createHttpTransport(target: HttpTarget, onFlood: (why: string) => void): Transport {
  const gate = createFloodGate(() => performance.now());
  const guarded: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    return response.body === null ? response : limited(response, response.body, { gate, onFlood });
  };
  return new StreamableHTTPClientTransport(new URL(target.url), {
    requestInit: { headers: target.headers },
    fetch: guarded,
  });
}

function limited(
  response: Response,
  body: ReadableStream<Uint8Array>,
  { gate, onFlood }: { readonly gate: FloodGate; readonly onFlood: (why: string) => void },
): Response {
  const isStream = response.headers.get("content-type")?.startsWith(EVENTS) === true;
  let bytes = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        try {
          gate.pass(chunk);
          if (!isStream && bytes > ANSWER_BYTES_MAX) {
            throw new RangeError(`its response has more than ${ANSWER_BYTES_MAX} bytes`);
          }
        } catch (error) {
          onFlood(error instanceof Error ? error.message : String(error));
          throw error;
        }
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}
