import { bearer, createTransport, type Transport } from "./http/transport.ts";
import { createLive, type Live } from "./live/live.ts";
import { type PlanwrightOptions, settingsOf } from "./options.ts";
import { type DataApi, dataOf } from "./resources/data.ts";
import { type DeadLetters, deadLettersOf } from "./resources/dead-letters.ts";
import { type AuditApi, auditOf } from "./resources/audit.ts";
import { type KeysApi, keysOf } from "./resources/keys.ts";
import { type SessionApi, sessionOf } from "./resources/session.ts";
import { type Plans, plansOf } from "./resources/plans.ts";
import {
  type McpApi,
  mcpOf,
  type MetricsApi,
  metricsOf,
  type SystemApi,
  systemOf,
  type ToolsApi,
  toolsOf,
  type TracesApi,
  tracesOf,
  type QuotasApi,
  type WorkersApi,
  quotasOf,
  workersOf,
} from "./resources/system.ts";

/**
 * A client of one gateway.
 *
 * Idempotent calls are retried after transient failures; every call takes a `signal` and a `timeoutMs`.
 * A refusal throws a {@link ProblemError}, an unreachable gateway a {@link ConnectionError}.
 */
export class Planwright {
  readonly plans: Plans;
  readonly data: DataApi;
  readonly tools: ToolsApi;
  readonly workers: WorkersApi;
  readonly metrics: MetricsApi;
  readonly quotas: QuotasApi;
  readonly deadLetters: DeadLetters;
  readonly keys: KeysApi;
  readonly audit: AuditApi;
  readonly session: SessionApi;
  readonly system: SystemApi;
  readonly traces: TracesApi;
  readonly mcp: McpApi;
  /** The WebSocket behind `plans.watch`. */
  readonly live: Live;
  readonly #transport: Transport;

  /** @throws {TypeError} When an option is invalid. */
  constructor(options: PlanwrightOptions = {}) {
    const transport = createTransport(settingsOf(options));
    this.#transport = transport;
    this.live = createLive(transport.settings);
    this.plans = plansOf(transport, this.live);
    this.data = dataOf(transport);
    this.tools = toolsOf(transport);
    this.workers = workersOf(transport);
    this.metrics = metricsOf(transport);
    this.quotas = quotasOf(transport);
    this.audit = auditOf(transport);
    this.keys = keysOf(transport);
    this.session = sessionOf(transport);
    this.deadLetters = deadLettersOf(transport);
    this.system = systemOf(transport);
    this.traces = tracesOf(transport);
    this.mcp = mcpOf(transport);
  }

  /** Closes the WebSocket; calls in progress continue. */
  close(): void {
    this.live.close();
  }

  /** The gateway's address, without a trailing slash. */
  get baseUrl(): string {
    return this.#transport.settings.baseUrl;
  }

  /** The version in the gateway's last response; undefined before the first one. */
  get gatewayVersion(): string | undefined {
    return this.#transport.gatewayVersion();
  }

  /**
   * Sends any request to the gateway with the key, and adds nothing else: no time-out, no retry, no error for a refusal.
   *
   * @param path - Relative to the base URL, such as `/v1/plans`.
   */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const { baseUrl, key, headers: common, fetch } = this.#transport.settings;
    const headers = new Headers({ ...common, ...bearer(key()) });
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    return fetch(`${baseUrl}${path.startsWith("/") ? path : `/${path}`}`, { ...init, headers });
  }
}
