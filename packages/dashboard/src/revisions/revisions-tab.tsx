/** How the plan came to be what it is: each revision with its cause, its reason, who asked for it, and what it changed. */
import { isPlanEdit, type PlanEdit, planEdits, revisionDiff, whoAsked } from "@planwright/plan/revision-diff";
import type { PlanView } from "../api/api-types.ts";
import { usePlanLog } from "../plan/plan-log.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Loading } from "../ui/notice.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Problem } from "../ui/problem.tsx";
import type { Loaded } from "../ui/use-loaded.ts";
import { Folded } from "../values/folded.tsx";
import { Diff, StepChip } from "./plan-diff.tsx";
import { askerWords, causeWords } from "./revision-words.ts";
import { REVISIONS_TAB } from "./revision-words.ts";
import styles from "./revisions.module.css";

type Revision = PlanView["revisions"][number];
type Select = TabProps["onSelectStep"];

/** What changed the plan, the newest first: revisions, and what people made of it before they let it run. */
export function RevisionsTab({ view, onSelectStep }: TabProps) {
  const edits = usePlanEdits(view);
  const parts = [
    ...view.revisions.map((revision) => ({
      at: revision.at,
      card: <RevisionCard view={view} revision={revision} onSelectStep={onSelectStep} />,
    })),
    ...(edits.phase === "ready" ? edits.value : []).map((edit) => ({
      at: edit.at,
      card: <EditCard edit={edit} onSelectStep={onSelectStep} />,
    })),
  ].toSorted((left, right) => right.at.localeCompare(left.at));
  const problem = edits.phase === "failed" && <Problem error={edits.error} again={edits.again} />;
  if (problem !== false && parts.length === 0) return problem;
  if (parts.length === 0 && edits.phase === "loading")
    return <Loading className="tab-loading" what={REVISIONS_TAB.loadingRevisions} />;
  if (parts.length === 0) return <EmptyState of="revisions" />;
  return (
    <>
      {problem}
      <ol className={styles.revisions}>
        {parts.map(({ at, card }, index) => (
          // Two may have been at the same moment.
          <li key={`${at} ${index}`}>{card}</li>
        ))}
      </ol>
    </>
  );
}

/** The user's edits of the plan. The log is read only if an approval edited the plan. */
function usePlanEdits(view: PlanView): Loaded<readonly PlanEdit[]> {
  const log = usePlanLog(view, view.approvals.some(isPlanEdit));
  return log.phase === "ready"
    ? {
        ...log,
        value: planEdits(
          view,
          log.value.map(({ event }) => event),
        ),
      }
    : log;
}

function EditCard({ edit, onSelectStep }: { edit: PlanEdit; onSelectStep: Select }) {
  const { by, at, reason, diff } = edit;
  return (
    <article className={styles.revision} data-part="revision" aria-label={REVISIONS_TAB.editedBeforeRunning}>
      <header>
        <h3>{REVISIONS_TAB.editedBeforeRunning}</h3>
        <time dateTime={at}>{formatDateTime(at)}</time>
      </header>
      <p className={styles.revisionAsked}>{REVISIONS_TAB.editedBy(by)}</p>
      {reason !== undefined && <blockquote className={styles.revisionReason}>{reason}</blockquote>}
      <Diff diff={diff} onSelectStep={onSelectStep} />
    </article>
  );
}

type CardProps = { readonly view: PlanView; readonly revision: Revision; readonly onSelectStep: Select };

function RevisionCard({ view, revision, onSelectStep }: CardProps) {
  const asker = whoAsked(view, revision);
  const { stepId } = asker;
  return (
    <article
      className={styles.revision}
      data-part="revision"
      aria-label={REVISIONS_TAB.revision(revision.revision)}
    >
      <header>
        <h3>{REVISIONS_TAB.revisionBecause(revision.revision, causeWords(revision.cause))}</h3>
        <time dateTime={revision.at}>{formatDateTime(revision.at)}</time>
      </header>
      <p className={styles.revisionAsked}>
        {REVISIONS_TAB.requestedBy(askerWords(asker))}
        {stepId !== undefined && (
          <>
            {" "}
            <StepChip id={stepId} onSelect={onSelectStep} />
          </>
        )}
      </p>
      {revision.reason !== "" && (
        <Folded chars={revision.reason.length}>
          <blockquote className={styles.revisionReason}>{revision.reason}</blockquote>
        </Folded>
      )}
      <Diff diff={revisionDiff(view, revision)} onSelectStep={onSelectStep} />
    </article>
  );
}
