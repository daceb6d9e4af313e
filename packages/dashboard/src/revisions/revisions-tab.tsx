/** How the plan came to be what it is: each revision with its cause, its reason, who asked for it, and what it changed. */
import {
  type FieldChange,
  isPlanEdit,
  type PlanDiff,
  type PlanEdit,
  planEdits,
  revisionDiff,
  whoAsked,
} from "@planwright/plan/revision-diff";
import type { Json, PlanView } from "../api/api-types.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { usePlanLog } from "../plan/plan-log.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { COMMON } from "../ui/ui-words.ts";
import type { Loaded } from "../ui/use-loaded.ts";
import { Folded } from "../values/folded.tsx";
import { isObject } from "../values/is-object.ts";
import { ShortValue } from "../values/short-value.tsx";
import { askerWords, causeWords, FIELD_CHANGES, PLAN_DIFF, REVISIONS_TAB } from "./revision-words.ts";
import styles from "./revisions.module.css";

const KEPT_SHOWN = 60;
const CHANGES_SHOWN = 100;

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

type SelectStep = TabProps["onSelectStep"];
type DiffStep = PlanDiff["added"][number];

/** What is other than before: changed steps field by field, those that came, those that went, those that stayed. */
function Diff({ diff, onSelectStep }: { diff: PlanDiff; onSelectStep: SelectStep }) {
  const { added, removed, changed, kept } = diff;
  const total = added.length + removed.length + changed.length;
  return (
    <>
      <ul className={styles.revisionDiff}>
        {changed.slice(0, CHANGES_SHOWN).map(({ before, after, fields }) => (
          <li key={after.id} className={styles.diffChanged}>
            <DiffHead icon="planning" word={PLAN_DIFF.changed} step={after} onSelect={onSelectStep} />
            {before.id !== after.id && (
              <p className="soft">
                {PLAN_DIFF.replaces} <StepChip id={before.id} onSelect={onSelectStep} />
              </p>
            )}
            <FieldChanges fields={fields} />
          </li>
        ))}
        {added.slice(0, CHANGES_SHOWN).map((step) => (
          <li key={step.id} className={styles.diffAdded}>
            <DiffHead icon="plus" word={PLAN_DIFF.added} step={step} onSelect={onSelectStep} />
          </li>
        ))}
        {removed.slice(0, CHANGES_SHOWN).map((step) => (
          <li key={step.id} className={styles.diffRemoved}>
            <DiffHead icon="close" word={PLAN_DIFF.removed} step={step} onSelect={onSelectStep} />
          </li>
        ))}
      </ul>
      {total === 0 && <p className="soft">{PLAN_DIFF.noStepsChanged}</p>}
      {Math.max(added.length, removed.length, changed.length) > CHANGES_SHOWN && (
        <p className="soft">
          {PLAN_DIFF.firstShown(changed.length, added.length, removed.length, CHANGES_SHOWN)}
        </p>
      )}
      {kept.length > 0 && (
        <p className="neighbours">
          <span>{PLAN_DIFF.kept}</span>
          {kept.slice(0, KEPT_SHOWN).map(({ id }) => (
            <StepChip key={id} id={id} onSelect={onSelectStep} />
          ))}
          {kept.length > KEPT_SHOWN && <span>{COMMON.andMore(kept.length - KEPT_SHOWN)}</span>}
        </p>
      )}
    </>
  );
}

type HeadProps = {
  readonly icon: IconName;
  readonly word: string;
  readonly step: DiffStep;
  readonly onSelect: SelectStep;
};

function DiffHead({ icon, word, step, onSelect }: HeadProps) {
  return (
    <p className={styles.diffHead}>
      <Icon name={icon} size={13} />
      <strong>{word}</strong>
      <StepChip id={step.id} onSelect={onSelect} />
      <span>{step.description}</span>
      <code>{step.tool}</code>
    </p>
  );
}

function StepChip({ id, onSelect }: { id: string; onSelect: SelectStep }) {
  return (
    <button type="button" className="chip" onClick={() => onSelect(id)}>
      {id}
    </button>
  );
}

/** What is different about a step, field by field; of its arguments each by itself. */
function FieldChanges({ fields }: { fields: readonly FieldChange[] }) {
  if (fields.length === 0) return <p className="soft">{FIELD_CHANGES.unchanged}</p>;
  return (
    <dl className={styles.fieldChanges}>
      {fields.flatMap(intoParts).map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <Side word="before" value={before} />
            <Side word="after" value={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Side({ word, value }: { word: "before" | "after"; value: Json | undefined }) {
  return (
    <div className={styles.side} data-side={word}>
      <span className="visually-hidden">{word}: </span>
      {value === undefined ? (
        <span className="soft">{FIELD_CHANGES.notSet}</span>
      ) : (
        <ShortValue value={value} />
      )}
    </div>
  );
}

/** Arguments that stayed as they were say nothing. */
function intoParts(change: FieldChange): FieldChange[] {
  const { field, before, after } = change;
  if (field !== "args" || !isObject(before) || !isObject(after)) return [change];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, fresh] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(fresh)) return [];
    return [
      {
        field: `args.${name}`,
        ...(old === undefined ? {} : { before: old }),
        ...(fresh === undefined ? {} : { after: fresh }),
      },
    ];
  });
}
