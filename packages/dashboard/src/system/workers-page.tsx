/** The workers that are there, and what they cannot use. */
import type { Worker } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Notice } from "../ui/notice.tsx";
import { SystemPage } from "./system-page.tsx";
import { useRefreshed } from "./use-refreshed.ts";

const LEAD = "Executors that have said within five seconds that they are there, by pool.";

export function WorkersPage() {
  const { gateway } = useServices();
  const loaded = useRefreshed("workers", gateway.workers);
  return (
    <SystemPage title="Workers" lead={LEAD} loaded={loaded}>
      {({ workers }) =>
        workers.length === 0 ? (
          <Notice icon="alert" title="No worker is there">
            <p>Steps wait until an executor starts.</p>
          </Notice>
        ) : (
          [...Map.groupBy(workers, ({ pool }) => pool)].map(([pool, members]) => (
            <Pool key={pool} pool={pool} workers={members} />
          ))
        )
      }
    </SystemPage>
  );
}

function Pool({ pool, workers }: { pool: string; workers: readonly Worker[] }) {
  const sum = (of: (worker: Worker) => number) => workers.reduce((total, worker) => total + of(worker), 0);
  const broken = workers.flatMap(({ workerId, brokenTools }) =>
    brokenTools.map(({ file, reason }) => ({ workerId, file, reason })),
  );
  const words = `${formatCount(workers.length, "worker")}, ${sum(({ inFlight }) => inFlight)} of ${sum(({ concurrency }) => concurrency)} places taken`;
  return (
    <section className="pool" aria-labelledby={`pool-${pool}`}>
      <h2 id={`pool-${pool}`}>{pool}</h2>
      <p>{words}</p>
      <div className="scroll-x" tabIndex={0} role="group" aria-label={`Workers of ${pool}`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Worker</th>
              <th scope="col" className="number">
                In flight
              </th>
              <th scope="col" className="number">
                At most
              </th>
              <th scope="col" className="number">
                Tools
              </th>
              <th scope="col">Version</th>
            </tr>
          </thead>
          <tbody>
            {workers.map(({ workerId, inFlight, concurrency, tools, version }) => (
              <tr key={workerId}>
                <td>
                  <code>{workerId}</code>
                </td>
                <td className="number">{inFlight}</td>
                <td className="number">{concurrency}</td>
                <td className="number">{tools.length}</td>
                <td>{version}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {broken.map(({ workerId, file, reason }) => (
        <p key={`${workerId} ${file}`} className="pool-broken">
          <Icon name="alert" size={14} /> <code>{file}</code> cannot be used: {reason}
        </p>
      ))}
    </section>
  );
}
