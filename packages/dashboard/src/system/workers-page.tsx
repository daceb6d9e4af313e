/** The workers that are there, and what they cannot use. */
import type { Worker } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatAgo, formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { useNow } from "../ui/use-now.ts";
import { type Pool, poolsOf } from "./pools-of.ts";
import { SystemPage } from "./system-page.tsx";
import { useRefreshed } from "./use-refreshed.ts";
import styles from "./system.module.css";

const LEAD = "Workers seen in the last 5 s and queue depth, by pool.";

export function WorkersPage() {
  const { gateway } = useServices();
  const loaded = useRefreshed("workers", gateway.workers);
  return (
    <SystemPage title="Workers" lead={LEAD} loaded={loaded}>
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
  const oldest = oldestAt === undefined ? "" : `, the oldest for ${formatAge(oldestAt, now)}`;
  const words = `${formatCount(workers.length, "worker")}, ${inFlight} of ${places} slots in use${waiting}${oldest}`;
  return (
    <section className={styles.pool} aria-labelledby={`pool-${pool}`}>
      <h2 id={`pool-${pool}`}>{pool}</h2>
      <p>{words}</p>
      {warning !== undefined && (
        <p className={styles.poolWarning} role="status">
          <Icon name="alert" size={15} /> {warning}
        </p>
      )}
      {workers.length > 0 && <WorkerTable pool={pool} workers={workers} now={now} />}
      {broken.map(({ workerId, file, reason }) => (
        <p key={`${workerId} ${file}`} className={styles.poolBroken}>
          <Icon name="alert" size={14} /> <code>{file}</code> cannot be used: {reason}
        </p>
      ))}
    </section>
  );
}

/** The server has a clock of its own. */
function formatAge(at: string, nowMs: number): string {
  return formatDuration(Math.max(1_000, Math.floor((nowMs - Date.parse(at)) / 1_000) * 1_000));
}

type TableProps = { readonly pool: string; readonly workers: readonly Worker[]; readonly now: number };

function WorkerTable({ pool, workers, now }: TableProps) {
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={`Workers of ${pool}`}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col" className="number">
              In flight
            </th>
            <th scope="col" className="number">
              Capacity
            </th>
            <th scope="col" className="number">
              Tools
            </th>
            <th scope="col">Agent types</th>
            <th scope="col">Version</th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  );
}
