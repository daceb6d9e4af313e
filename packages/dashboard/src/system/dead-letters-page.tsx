/** Dead letters, grouped by cause. */
import { useState } from "react";
import type { DeadLetterGroup, DeadLetter } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { Link } from "../router/link.tsx";
import { useMay } from "../sign-in/caller.ts";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { formatAgo, formatCount, formatDateTime } from "../ui/format.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Problem } from "../ui/problem.tsx";
import { useNow } from "../clock/use-now.ts";
import { SystemPage } from "./system-page.tsx";
import { Disclosure } from "./disclosure.tsx";
import { useRefreshed } from "./use-refreshed.ts";
import { DEAD_LETTERS_PAGE, DEAD_LETTER_LIST } from "./system-words.ts";
import { Loading } from "../ui/notice.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { JsonView } from "../values/json-view.tsx";

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
      className="card grid grid-cols-1 gap-2 px-4.5 py-3.5"
      data-part="dead-letters"
      aria-label={DEAD_LETTERS_PAGE.titleOf(group.cause)}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="badge tone-bad">{group.count}</span>
        <h2 className="text-base">{group.cause}</h2>
      </header>
      <About group={group} />
      <div className="flex flex-wrap gap-2">
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
      <Disclosure label={DEAD_LETTER_LIST.messages}>
        <DeadLetters group={group.group} version={`${group.count} ${group.lastAt}`} onChanged={onChanged} />
      </Disclosure>
      {said !== "" && <p role="status">{said}</p>}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}

function About({ group }: { group: DeadLetterGroup }) {
  const now = useNow(30_000);
  const { sample } = group;
  return (
    <p className="text-sm text-soft">
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

type Props = {
  readonly group: string;
  /** Changes when dead letters were added or removed. */
  readonly version: string;
  readonly onChanged: () => void;
};

/** The dead letters of one cause: their work and their payload. */
function DeadLetters({ group, version, onChanged }: Props) {
  const { gateway } = useServices();
  // The cursor of each page; the last one is shown.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const loaded = useLoaded(`dead-letters ${group} ${cursor ?? ""} ${version}`, 0, (signal) =>
    gateway.deadLetters(group, cursor, signal),
  );
  if (loaded.phase === "loading") return <Loading className="h-20" what={DEAD_LETTER_LIST.loadingMessages} />;
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  const { deadLetters, nextCursor } = loaded.value;
  return (
    <>
      <ol>
        {deadLetters.map((deadLetter) => (
          <Message key={deadLetter.id} deadLetter={deadLetter} onChanged={onChanged} />
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        {cursors.length > 1 && (
          <Button kind="quiet" onClick={() => setCursors(cursors.slice(0, -1))}>
            {DEAD_LETTER_LIST.newerMessages}
          </Button>
        )}
        {nextCursor !== undefined && (
          <Button kind="quiet" onClick={() => setCursors([...cursors, nextCursor])}>
            {DEAD_LETTER_LIST.olderMessages}
          </Button>
        )}
      </div>
    </>
  );
}

function Message({ deadLetter, onChanged }: { deadLetter: DeadLetter; onChanged: () => void }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(onChanged);
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const now = useNow(30_000);
  const { id, kind, planId, stepId, attempt, cause, deliveries, at } = deadLetter;
  const plan = planId === undefined ? undefined : `/plans/${encodeURIComponent(planId)}`;
  return (
    <li
      className="grid grid-cols-1 gap-1.5 border-t border-line py-2.5"
      aria-label={DEAD_LETTER_LIST.message(id)}
    >
      <p className="text-sm text-soft">
        <span title={formatDateTime(at)}>{formatAgo(at, now)}</span> ·{" "}
        {formatCount(deliveries, "delivery", "deliveries")}
        {attempt !== undefined && DEAD_LETTER_LIST.attempt(attempt)}
        {plan !== undefined && (
          <>
            {" · "}
            <Link href={plan}>{DEAD_LETTER_LIST.plan}</Link>
          </>
        )}
        {plan !== undefined && stepId !== undefined && (
          <>
            {" · "}
            <Link href={`${plan}?step=${encodeURIComponent(stepId)}`}>{DEAD_LETTER_LIST.step(stepId)}</Link>
          </>
        )}
      </p>
      <p>{cause}</p>
      <Disclosure label={DEAD_LETTER_LIST.messagePayload}>
        <Payload id={id} />
      </Disclosure>
      <div className="flex flex-wrap gap-2">
        {kind === "step" && may("retryDeadLetter") && (
          <Button disabled={busy} onClick={() => void run((signal) => gateway.retryOne(id, signal))}>
            {DEAD_LETTER_LIST.retryMessage}
          </Button>
        )}
        {!may("discardDeadLetter") ? null : asking ? (
          <Button
            kind="danger"
            disabled={busy}
            onClick={() => void run((signal) => gateway.discardOne(id, signal))}
          >
            {DEAD_LETTER_LIST.yesDiscardMessage}
          </Button>
        ) : (
          <Button kind="quiet" disabled={busy} onClick={() => setAsking(true)}>
            {DEAD_LETTER_LIST.discardMessage}
          </Button>
        )}
      </div>
      {error !== undefined && <Problem error={error} />}
    </li>
  );
}

function Payload({ id }: { id: string }) {
  const { gateway } = useServices();
  const loaded = useLoaded(`dead-letter ${id}`, 0, (signal) => gateway.deadLetter(id, signal));
  if (loaded.phase === "loading") return <p role="status">{DEAD_LETTER_LIST.loading}</p>;
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  return <JsonView value={loaded.value.payload} />;
}
