/** The running workers, and the tools that they cannot use. */
import type { Worker, Workers } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { formatAgo, formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { useNow } from "../clock/use-now.ts";
import { SystemPage } from "./system-page.tsx";
import { useRefreshed } from "./use-refreshed.ts";
import { WORKERS_PAGE, POOLS_OF } from "./system-words.ts";

const LEAD = WORKERS_PAGE.lead;

export function WorkersPage() {
  const { gateway } = useServices();
  const loaded = useRefreshed("workers", gateway.workers);
  return (
    <SystemPage title={WORKERS_PAGE.workers} lead={LEAD} loaded={loaded}>
      {(known) => (
        <>
          {known.workers.length === 0 && <EmptyState of="workers" />}
          {poolsOf(known).map((pool) => (
            <PoolCard key={pool.name} pool={pool} />
          ))}
        </>
      )}
    </SystemPage>
  );
}

type Props = { readonly pool: Pool };

function PoolCard({ pool: { name: pool, workers, queued, oldestAt, inFlight, places, warning } }: Props) {
  const now = useNow(1_000);
  const broken = workers.flatMap(({ workerId, brokenTools }) =>
    brokenTools.map(({ file, reason }) => ({ workerId, file, reason })),
  );
  const waiting = queued === undefined ? "" : `, ${formatCount(queued, "message")} queued`;
  const oldest = oldestAt === undefined ? "" : WORKERS_PAGE.oldest(formatAge(oldestAt, now));
  const words = WORKERS_PAGE.usage(formatCount(workers.length, "worker"), inFlight, places, waiting, oldest);
  return (
    <section className="grid grid-cols-1 gap-2" aria-labelledby={`pool-${pool}`}>
      <h2 className="text-base" id={`pool-${pool}`}>
        {pool}
      </h2>
      <p className="text-sm text-soft">{words}</p>
      {warning !== undefined && (
        <p
          className="flex items-center gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn"
          role="status"
        >
          <Icon className="flex-none" name="alert" size={15} /> {warning}
        </p>
      )}
      {workers.length > 0 && <WorkerTable pool={pool} workers={workers} now={now} />}
      {broken.map(({ workerId, file, reason }) => (
        <p key={`${workerId} ${file}`} className="text-sm text-bad">
          <Icon name="alert" size={14} /> <code>{file}</code> {WORKERS_PAGE.unavailable(reason)}
        </p>
      ))}
    </section>
  );
}

/** At least one second: the server's clock can be ahead of the browser's. */
function formatAge(at: string, nowMs: number): string {
  return formatDuration(Math.max(1_000, Math.floor((nowMs - Date.parse(at)) / 1_000) * 1_000));
}

type TableProps = { readonly pool: string; readonly workers: readonly Worker[]; readonly now: number };

function WorkerTable({ pool, workers, now }: TableProps) {
  return (
    <ScrollTable
      className="rounded-md border border-line bg-surface"
      label={WORKERS_PAGE.workersOf(pool)}
      head={[
        WORKERS_PAGE.worker,
        { number: WORKERS_PAGE.inFlight },
        { number: WORKERS_PAGE.capacity },
        { number: WORKERS_PAGE.tools },
        WORKERS_PAGE.agentTypes,
        WORKERS_PAGE.version,
        WORKERS_PAGE.lastSeen,
      ]}
    >
      {workers.map(({ workerId, inFlight, concurrency, tools, agents, version, at }) => (
        <tr key={workerId}>
          <td>
            <code>{workerId}</code>
          </td>
          <td className="number">{inFlight}</td>
          <td className="number">{concurrency}</td>
          <td className="number" title={tools.join(", ")}>
            {tools.length}
          </td>
          <td>{agents.join(", ")}</td>
          <td>{version}</td>
          <td>{formatAgo(at, now)}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

export type Pool = {
  readonly name: string;
  readonly workers: readonly Worker[];
  /** Undelivered messages; undefined when the queue is unknown. */
  readonly queued: number | undefined;
  /** The time of the oldest undelivered message. */
  readonly oldestAt: string | undefined;
  readonly inFlight: number;
  readonly places: number;
  /** A warning about the pool. */
  readonly warning: string | undefined;
};

/** Every pool that has a worker or a queue; those with a warning first. */
export function poolsOf({ workers, pools }: Workers): Pool[] {
  const byPool = Map.groupBy(workers, ({ pool }) => pool);
  const queues = new Map(pools.map((queue) => [queue.pool, queue]));
  const names = [...new Set([...byPool.keys(), ...queues.keys()])];
  const all = names.map((name): Pool => {
    const members = byPool.get(name) ?? [];
    const queue = queues.get(name);
    const pool = {
      name,
      workers: members,
      queued: queue?.queued,
      oldestAt: queue?.oldestAt,
      inFlight: sum(members, ({ inFlight }) => inFlight),
      places: sum(members, ({ concurrency }) => concurrency),
    };
    return {
      ...pool,
      warning: warningOf({ ...pool, waiting: (queue?.queued ?? 0) + (queue?.delivered ?? 0) }),
    };
  });
  const rank = ({ warning }: Pool): number => (warning === undefined ? 1 : 0);
  return all.toSorted((left, right) => rank(left) - rank(right) || left.name.localeCompare(right.name));
}

function warningOf({
  workers,
  queued = 0,
  inFlight,
  places,
  waiting,
}: Omit<Pool, "warning" | "oldestAt"> & { waiting: number }) {
  if (workers.length === 0) {
    return waiting === 0
      ? undefined
      : POOLS_OF.noWorker(waiting, waiting === 1 ? "message is queued" : "messages are queued");
  }
  if (queued > 0 && inFlight >= places) return POOLS_OF.full(places, queued, queued === 1 ? "is" : "are");
  return undefined;
}

function sum(workers: readonly Worker[], of: (worker: Worker) => number): number {
  return workers.reduce((total, worker) => total + of(worker), 0);
}
