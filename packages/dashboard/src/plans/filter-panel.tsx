/** What narrows the list down, and views of one's own. */
import { type FormEvent, useState } from "react";
import type { PlanCount } from "../api/api-types.ts";
import { Select } from "../ui/select.tsx";
import { Button } from "../ui/button.tsx";
import { lookOf } from "../ui/status-badge.tsx";
import { PlannedBySelect } from "./planned-by-select.tsx";
import {
  countFields,
  type ListFilter,
  type ListView,
  OPEN_STATUSES,
  OUTCOMES,
  textOf,
} from "./list-filter.ts";
import { type SavedViews, VIEW_NAME_CHARS_MAX, countText } from "./use-view-filters.ts";
import { FILTER_PANEL, TIMES } from "./plans-words.ts";
import styles from "./plans.module.css";

type Props = {
  readonly filter: ListFilter;
  readonly onChange: (filter: ListFilter) => void;
  readonly counts: ReadonlyMap<string, PlanCount>;
  readonly saved: SavedViews;
  readonly views: readonly ListView[];
};

export function FilterPanel({ filter, onChange, counts, saved, views }: Props) {
  const set = (part: ListFilter) => onChange({ ...filter, ...part });
  const optionOf = (status: keyof typeof STATUS_WORDS) => {
    const count = counts.get(textOf({ status }));
    return (
      <option key={status} value={status}>
        {STATUS_WORDS[status]}
        {count === undefined ? "" : ` (${countText(count)})`}
      </option>
    );
  };
  return (
    <div className={styles.filters} role="group" aria-label={FILTER_PANEL.filters}>
      <label>
        {FILTER_PANEL.status}
        <select
          className="field"
          value={filter.status ?? ""}
          onChange={(event) => set({ status: event.target.value })}
        >
          <option value="">{FILTER_PANEL.any}</option>
          <optgroup label={FILTER_PANEL.notFinished}>
            {optionOf("open")}
            {OPEN_STATUSES.map(optionOf)}
          </optgroup>
          <optgroup label={FILTER_PANEL.outcome}>{OUTCOMES.map(optionOf)}</optgroup>
        </select>
      </label>
      <PlannedBySelect
        value={filter.strategy ?? ""}
        all={FILTER_PANEL.any}
        onChange={(strategy) => set({ strategy })}
      />
      <label>
        {FILTER_PANEL.submitted}
        <Select
          value={filter.since ?? ""}
          options={[["", FILTER_PANEL.atAnyTime], ...Object.entries(TIMES)]}
          onChange={(since) => set({ since })}
        />
      </label>
      <label className={styles.filterCheck}>
        <input
          type="checkbox"
          checked={filter.needs === "approval"}
          onChange={(event) => set({ needs: event.target.checked ? "approval" : "" })}
        />
        {FILTER_PANEL.needsApproval}
      </label>
      <Views filter={filter} onChange={onChange} saved={saved} views={views} />
    </div>
  );
}

/** Saves what is shown under a name, or forgets a name. */
function Views({ filter, onChange, saved, views }: Omit<Props, "counts">) {
  const [name, setName] = useState("");
  const current = views.find((view) => textOf(view.filter) === textOf(filter));
  const isNarrowed = countFields(filter) > 0 || filter.q !== undefined;
  const save = (event: FormEvent) => {
    event.preventDefault();
    saved.save({ name: name.trim(), filter });
    setName("");
  };
  return (
    <div className={styles.filterViews}>
      {isNarrowed && current === undefined && (
        <form onSubmit={save}>
          <input
            className="field"
            aria-label={FILTER_PANEL.viewName}
            placeholder={FILTER_PANEL.viewName}
            maxLength={VIEW_NAME_CHARS_MAX}
            required
            pattern=".*\S.*"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <button type="submit" className="button" disabled={name.trim() === ""}>
            {FILTER_PANEL.saveView}
          </button>
        </form>
      )}
      {current !== undefined && (
        <Button kind="quiet" onClick={() => saved.remove(current.name)}>
          {FILTER_PANEL.deleteView(current.name)}
        </Button>
      )}
      {isNarrowed && (
        <Button kind="quiet" onClick={() => onChange({})}>
          {FILTER_PANEL.showAllPlans}
        </Button>
      )}
    </div>
  );
}

const STATUS_WORDS = {
  open: FILTER_PANEL.notFinished,
  ...(Object.fromEntries([...OPEN_STATUSES, ...OUTCOMES].map((name) => [name, lookOf(name).label])) as Record<
    (typeof OPEN_STATUSES)[number] | (typeof OUTCOMES)[number],
    string
  >),
};
