/** The plan's history of changes: each revision with its cause, its reason, its requester and its changes. */
import {
  type FieldChange,
  isPlanEdit,
  type PlanDiff,
  type PlanEdit,
  planEdits,
  revisionDiff,
  whoAsked,
} from "@planwright/plan/revision-diff";
import type { ReactNode } from "react";
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

const KEPT_SHOWN = 60;
const CHANGES_SHOWN = 100;

type Revision = PlanView["revisions"][number];
type Select = TabProps["onSelectStep"];

/** All changes to the plan, newest first: revisions, and reviewers' edits before it ran. */
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
      <ol className="grid grid-cols-1 divide-y divide-line">
        {parts.map(({ at, card }, index) => (
          // Two can have the same time.
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
  const title = REVISIONS_TAB.editedBeforeRunning;
  return (
    <Card label={title} title={title} at={at} asked={REVISIONS_TAB.editedBy(by)}>
      {reason !== undefined && <Reason>{reason}</Reason>}
      <Diff diff={diff} onSelectStep={onSelectStep} />
    </Card>
  );
}

type RevisionProps = { readonly view: PlanView; readonly revision: Revision; readonly onSelectStep: Select };

function RevisionCard({ view, revision, onSelectStep }: RevisionProps) {
  const asker = whoAsked(view, revision);
  return (
    <Card
      label={REVISIONS_TAB.revision(revision.revision)}
      title={REVISIONS_TAB.revisionBecause(revision.revision, causeWords(revision.cause))}
      at={revision.at}
      asked={
        <>
          {REVISIONS_TAB.requestedBy(askerWords(asker))}{" "}
          {asker.stepId !== undefined && <StepChip id={asker.stepId} onSelect={onSelectStep} />}
        </>
      }
    >
      {revision.reason !== "" && (
        <Folded chars={revision.reason.length}>
          <Reason>{revision.reason}</Reason>
        </Folded>
      )}
      <Diff diff={revisionDiff(view, revision)} onSelectStep={onSelectStep} />
    </Card>
  );
}

type CardProps = {
  readonly label: string;
  readonly title: string;
  readonly at: string;
  /** The requester. */
  readonly asked: ReactNode;
  readonly children: ReactNode;
};

function Card({ label, title, at, asked, children }: CardProps) {
  return (
    <article
      className="grid grid-cols-1 gap-2.5 px-4.5 pt-3.5 pb-4.5 wrap-anywhere"
      data-part="revision"
      aria-label={label}
    >
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <h3 className="text-base">{title}</h3>
        <time className="text-sm text-soft" dateTime={at}>
          {formatDateTime(at)}
        </time>
      </header>
      <p className="text-sm text-soft">{asked}</p>
      {children}
    </article>
  );
}

function Reason({ children }: { children: string }) {
  return (
    <blockquote className="m-0 border-l-3 border-line-strong pl-3 whitespace-pre-wrap">{children}</blockquote>
  );
}

type DiffStep = PlanDiff["added"][number];

/** The differences: changed steps field by field, and added, removed and unchanged ones. */
function Diff({ diff, onSelectStep }: { diff: PlanDiff; onSelectStep: Select }) {
  const { added, removed, changed, kept } = diff;
  const total = added.length + removed.length + changed.length;
  return (
    <>
      <ul className="grid grid-cols-1 gap-2">
        {changed.slice(0, CHANGES_SHOWN).map(({ before, after, fields }) => (
          <DiffItem key={after.id} of="changed" step={after} onSelect={onSelectStep}>
            {before.id !== after.id && (
              <p className="soft">
                {PLAN_DIFF.replaces} <StepChip id={before.id} onSelect={onSelectStep} />
              </p>
            )}
            <FieldChanges fields={fields} />
          </DiffItem>
        ))}
        {added.slice(0, CHANGES_SHOWN).map((step) => (
          <DiffItem key={step.id} of="added" step={step} onSelect={onSelectStep} />
        ))}
        {removed.slice(0, CHANGES_SHOWN).map((step) => (
          <DiffItem key={step.id} of="removed" step={step} onSelect={onSelectStep} />
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

const LOOKS: Readonly<Record<"changed" | "added" | "removed", { icon: IconName; tone: string }>> = {
  changed: { icon: "planning", tone: "run" },
  added: { icon: "plus", tone: "ok" },
  removed: { icon: "close", tone: "bad" },
};

type ItemProps = {
  readonly of: keyof typeof LOOKS;
  readonly step: DiffStep;
  readonly onSelect: Select;
  readonly children?: ReactNode;
};

function DiffItem({ of, step, onSelect, children }: ItemProps) {
  const { icon, tone } = LOOKS[of];
  return (
    <li
      className={`grid grid-cols-1 gap-1.5 rounded-r-md border-l-3 border-tone bg-tone-soft px-3 py-2 tone-${tone}`}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Icon className="flex-none text-tone" name={icon} size={13} />
        <strong>{PLAN_DIFF[of]}</strong>
        <StepChip id={step.id} onSelect={onSelect} />
        <span>{step.description}</span>
        <code className="text-soft">{step.tool}</code>
      </p>
      {children}
    </li>
  );
}

function StepChip({ id, onSelect }: { id: string; onSelect: Select }) {
  return (
    <button type="button" className="chip" onClick={() => onSelect(id)}>
      {id}
    </button>
  );
}

/** The differences of a step, field by field, with a row for each argument. */
function FieldChanges({ fields }: { fields: readonly FieldChange[] }) {
  if (fields.length === 0) return <p className="soft">{FIELD_CHANGES.unchanged}</p>;
  return (
    <dl className="grid grid-cols-1 gap-2 text-sm">
      {fields.flatMap(intoParts).map(({ field, before, after }) => (
        <div key={field}>
          <dt className="font-mono text-xs text-soft">{field}</dt>
          <dd className="grid grid-cols-1 gap-1 md:grid-cols-2 md:gap-2">
            <Side word="before" value={before} />
            <Side word="after" value={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SIGNS = {
  before: { sign: "−", colour: "text-bad" },
  after: { sign: "+", colour: "text-ok" },
} as const;

function Side({ word, value }: { word: "before" | "after"; value: Json | undefined }) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-2 rounded-md bg-surface px-2 py-1">
      <span className={`font-mono font-bold ${SIGNS[word].colour}`} aria-hidden="true">
        {SIGNS[word].sign}
      </span>
      <span className="visually-hidden">{word}: </span>
      {value === undefined ? (
        <span className="soft">{FIELD_CHANGES.notSet}</span>
      ) : (
        <ShortValue value={value} />
      )}
    </div>
  );
}

/** Unchanged arguments are omitted. */
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
