import { duration, integer } from "./config-values.ts";

const GIB = 1024 ** 3;

/** How long plans are kept, and where. Spread what a service needs of it into its own schema. */
export const retentionConfig = {
  RETENTION_ENDED_AFTER: duration({ minMs: 60_000, maxMs: 3_650 * 86_400_000, orNever: true })
    .prefault("7d")
    .meta({
      description: "How long a finished plan stays in the log before it is moved to the archive.",
    }),
  RETENTION_STREAM_BYTES: integer({ min: 0, max: 1_000_000 * GIB, unit: "bytes" })
    .default(8 * GIB)
    .meta({
      description:
        "If the log is larger than this, plans are archived one minute after they finish, oldest first. 0 means no limit. Keep it well below the storage limit of nats-server.",
    }),
  RETENTION_ARCHIVES_AFTER: duration({ minMs: 60_000, maxMs: 3_650 * 86_400_000, orNever: true })
    .prefault("0")
    .meta({
      description:
        "How long an archived plan is kept. After that, the plan and its files are deleted, and its Idempotency-Key can be used again.",
    }),
} as const;
