/** The filters of the list, and the user's saved views. */
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

const LABEL = "grid gap-0.5 @min-[640px]:w-45";
const FIELD = "min-h-8.5 px-2 py-1 text-ink";
const BUTTON = "min-h-8.5 text-sm";

type Props = {
  readonly filter: ListFilter;
  readonly onChange: (filter: ListFilter) => void;
  readonly counts: ReadonlyMap<string, PlanCount>;
  readonly saved: SavedViews;
  readonly views: readonly ListView[];
};

/** In one row where its container is wide enough. */
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
    <div
      className="grid grid-cols-2 gap-2 text-xs text-soft @min-[640px]:flex @min-[640px]:flex-wrap @min-[640px]:items-end @min-[640px]:pb-1.5"
      role="group"
      aria-label={FILTER_PANEL.filters}
    >
      <label className={LABEL}>
        {FILTER_PANEL.status}
        <select
          className={`field ${FIELD}`}
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
        className={LABEL}
        selectClassName={FIELD}
        value={filter.strategy ?? ""}
        all={FILTER_PANEL.any}
        onChange={(strategy) => set({ strategy })}
      />
      <label className={LABEL}>
        {FILTER_PANEL.submitted}
        <Select
          className={FIELD}
          value={filter.since ?? ""}
          options={[["", FILTER_PANEL.atAnyTime], ...Object.entries(TIMES)]}
          onChange={(since) => set({ since })}
        />
      </label>
      <label className="col-span-full flex min-h-8.5 items-center gap-2">
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

/** Saves the current filters under a name, or deletes a saved view. */
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
    <div className="col-span-full flex flex-[1_1_340px] flex-wrap gap-1.5 empty:hidden">
      {isNarrowed && current === undefined && (
        <form className="flex max-w-90 min-w-50 flex-1 gap-2" onSubmit={save}>
          <input
            className={`field ${FIELD}`}
            aria-label={FILTER_PANEL.viewName}
            placeholder={FILTER_PANEL.viewName}
            maxLength={VIEW_NAME_CHARS_MAX}
            required
            pattern=".*\S.*"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <button type="submit" className={`button flex-none ${BUTTON}`} disabled={name.trim() === ""}>
            {FILTER_PANEL.saveView}
          </button>
        </form>
      )}
      {current !== undefined && (
        <Button className={BUTTON} kind="quiet" onClick={() => saved.remove(current.name)}>
          {FILTER_PANEL.deleteView(current.name)}
        </Button>
      )}
      {isNarrowed && (
        <Button className={BUTTON} kind="quiet" onClick={() => onChange({})}>
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
