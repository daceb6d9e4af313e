/** Dead letters, by their cause. */
import { useState } from "react";
import type { DeadLetterGroup } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { Link } from "../router/link.tsx";
import { useMay } from "../sign-in/caller.ts";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { formatAgo, formatCount, formatDateTime } from "../ui/format.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Problem } from "../ui/problem.tsx";
import { useNow } from "../clock/use-now.ts";
import { DeadLetterList } from "./dead-letter-list.tsx";
import { SystemPage } from "./system-page.tsx";
import { useRefreshed } from "./use-refreshed.ts";
import { DEAD_LETTERS_PAGE } from "./system-words.ts";
import styles from "./system.module.css";

const LEAD = DEAD_LETTERS_PAGE.lead;

export function DeadLettersPage() {
  const { gateway } = useServices();
  const [version, setVersion] = useState(0);
  const loaded = useRefreshed("dead-letters", gateway.deadLetterGroups, version);
  const changed = () => setVersion((before) => before + 1);
  return (
    <SystemPage title={DEAD_LETTERS_PAGE.deadLetters} lead={LEAD} loaded={loaded}>
      {({ total, groups }) =>
        total === 0 ? (
          <EmptyState of="deadLetters" />
        ) : (
          <>
            <p>{DEAD_LETTERS_PAGE.total(formatCount(total, "message"))}</p>
            {groups.map((group) => (
              <Group key={group.group} group={group} onChanged={changed} />
            ))}
          </>
        )
      }
    </SystemPage>
  );
}

function Group({ group, onChanged }: { group: DeadLetterGroup; onChanged: () => void }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(onChanged);
  const may = useMay();
  const [said, setSaid] = useState("");
  const [asking, setAsking] = useState(false);
  const retry = () =>
    run(async (signal) => {
      const { retried, refused } = await gateway.retry(group.group, signal);
      const [first] = refused;
      const why = first === undefined ? "" : `, ${refused.length} refused: ${first.message}`;
      setSaid(`${formatCount(retried, "step")} retried${why}`);
    });
  const discard = () => run((signal) => gateway.discard(group.group, signal));
  return (
    <section
      className={`card ${styles.deadLetters}`}
      data-part="dead-letters"
      aria-label={DEAD_LETTERS_PAGE.titleOf(group.cause)}
    >
      <header>
        <span className="badge tone-bad">{group.count}</span>
        <h2>{group.cause}</h2>
      </header>
      <About group={group} />
      <div className={styles.deadLettersButtons}>
        {group.kind === "step" && may("retryDeadLetters") && (
          <Button kind="primary" disabled={busy} onClick={() => void retry()}>
            {DEAD_LETTERS_PAGE.retry}
          </Button>
        )}
        {!may("discardDeadLetters") ? null : asking ? (
          <Button kind="danger" disabled={busy} onClick={() => void discard()}>
            {DEAD_LETTERS_PAGE.yesDiscard(formatCount(group.count, "message"))}
          </Button>
        ) : (
          <Button disabled={busy} onClick={() => setAsking(true)}>
            {DEAD_LETTERS_PAGE.discard}
          </Button>
        )}
      </div>
      <DeadLetterList group={group.group} version={`${group.count} ${group.lastAt}`} onChanged={onChanged} />
      {said !== "" && <p role="status">{said}</p>}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}

function About({ group }: { group: DeadLetterGroup }) {
  const now = useNow(30_000);
  const { sample } = group;
  return (
    <p className={styles.toolMeta}>
      {group.kind}
      {group.pool !== undefined && DEAD_LETTERS_PAGE.inPool(group.pool)} ·{" "}
      <span title={formatDateTime(group.lastAt)}>{DEAD_LETTERS_PAGE.last(formatAgo(group.lastAt, now))}</span>
      {sample.planId !== undefined && (
        <>
          {" · "}
          <Link href={planHref(sample)}>{DEAD_LETTERS_PAGE.newestPlan}</Link>
        </>
      )}
    </p>
  );
}

function planHref({ planId, stepId }: DeadLetterGroup["sample"]): string {
  const path = `/plans/${encodeURIComponent(planId ?? "")}`;
  return stepId === undefined ? path : `${path}?step=${encodeURIComponent(stepId)}`;
}
