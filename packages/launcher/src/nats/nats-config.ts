import path from "node:path";

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
/** How much the server buffers for a slow reader before it drops the connection. */
const MAX_PENDING_BYTES = 128 * 1024 * 1024;
const LOG_BYTES_MAX = 8 * 1024 * 1024;

export type NatsConfig = {
  readonly storeDir: string;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: a free port that the server picks and writes to its ports file. */
  readonly port?: number | undefined;
  readonly syncAlways?: boolean | undefined;
  readonly maxPayloadBytes?: number | undefined;
  /** The maximum size of the store; default: the free disk space. */
  readonly maxFileStoreBytes?: number | undefined;
  /** Added to the server's configuration under its own names: `authorization`, `tls`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
};

/** Returns the files that a server keeps in its store folder. */
export function natsFiles(storeDir: string) {
  return {
    config: path.join(storeDir, "nats-server.conf"),
    log: path.join(storeDir, "nats-server.log"),
    pid: path.join(storeDir, "nats-server.pid"),
  };
}

/**
 * Renders the configuration of a nats-server with file storage.
 *
 * By default an acknowledged message is in the operating system's cache and reaches the disk within two
 * minutes; `syncAlways` makes every acknowledgement wait for the disk.
 */
export function renderNatsConfig(config: NatsConfig): string {
  const files = natsFiles(config.storeDir);
  const settings = {
    server_name: "planwright",
    host: config.host ?? "127.0.0.1",
    port: config.port ?? -1,
    max_payload: config.maxPayloadBytes ?? MAX_PAYLOAD_BYTES,
    max_pending: MAX_PENDING_BYTES,
    pid_file: files.pid,
    ports_file_dir: config.storeDir,
    log_file: files.log,
    logfile_size_limit: LOG_BYTES_MAX,
    jetstream: {
      store_dir: config.storeDir,
      ...(config.maxFileStoreBytes === undefined ? {} : { max_file_store: config.maxFileStoreBytes }),
      ...(config.syncAlways ? { sync_interval: "always" } : {}),
    },
    ...config.settings,
  };
  // The server's configuration language is a superset of JSON.
  return `${JSON.stringify(settings, null, 2)}\n`;
}
