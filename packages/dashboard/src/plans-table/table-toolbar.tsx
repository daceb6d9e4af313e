import { FilterPanel } from "../plans/filter-panel.tsx";
import { type ListFilter, textOf } from "../plans/list-filter.ts";
import type { ListOrder } from "../plans/list-order.ts";
import { ENDED_FILTERS, OUTCOME_NAMES } from "../plans/plans-words.ts";
import { SearchField } from "../plans/search-field.tsx";
import { setFilter } from "../plans/use-list-filter.ts";
import { useViewFilters } from "../plans/use-view-filters.ts";
import { ViewLinks } from "../plans/view-links.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Popup } from "../ui/popup.tsx";
import { COLUMNS } from "./columns.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { COLUMNS_MENU, TABLE_TOOLBAR } from "./plans-table-words.ts";

/** Low buttons, wherever they wrap to. */

const LABEL = ENDED_FILTERS.filtersOfFinishedPlans;
const removeLabel = (name: string) => ENDED_FILTERS.removeFilter(name);

type Props = {
  readonly filter: ListFilter;
  readonly order: ListOrder;
  readonly version: number;
  readonly columns: ReadonlySet<string>;
  readonly onColumns: (columns: ReadonlySet<string>) => void;
};

/** The title, the views, and all controls for which plans the table shows, and how. */
export function TableToolbar({ filter, order, version, columns, onColumns }: Props) {
  const { views, own, saved, counts, narrowed, isOpen, toggle } = useViewFilters(filter, version);
  return (
    <header className="low-buttons flex flex-wrap items-center gap-x-2 gap-y-1.5 px-4 py-1.5 max-lg:[&_[data-part=popup-panel]]:right-auto max-lg:[&_[data-part=popup-panel]]:left-0 max-sm:px-2.5">
      <h1 id="plans-title" className="mr-1.5 text-lg">
        {TABLE_TOOLBAR.plans}
      </h1>
      <ViewLinks
        className="min-w-0 flex-[1_1_200px] overflow-x-auto [scrollbar-width:none] max-lg:order-1 max-lg:flex-[1_0_100%]"
        views={views}
        current={textOf(filter)}
        counts={counts}
      />
      <SearchField
        className="min-w-37.5 flex-[0_1_230px] max-lg:flex-[1_1_130px] [&_.field]:min-h-8 [&_.field]:py-0.5 [&_.field]:text-sm"
        filter={filter}
        firstRow={'[role="grid"] [role="row"][tabindex="0"]'}
      />
      <Button aria-expanded={isOpen} aria-controls="plans-filters" onClick={toggle}>
        <Icon name="filter" size={15} />
        {TABLE_TOOLBAR.filters(narrowed)}
      </Button>
      <ColumnsMenu chosen={columns} onChange={onColumns} />
      <ExportMenu filter={filter} order={order} />
      <EndedFilters filter={filter} onChange={setFilter} />
      <div id="plans-filters" className="@container flex-[1_0_100%] max-lg:order-2" hidden={!isOpen}>
        {isOpen && (
          <FilterPanel filter={filter} onChange={setFilter} counts={counts} saved={saved} views={own} />
        )}
      </div>
    </header>
  );
}

type ColumnsMenuProps = {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
};

/** Chooses the columns beside the goal. */
function ColumnsMenu({ chosen, onChange }: ColumnsMenuProps) {
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <Popup label={COLUMNS_MENU.columns}>
      {() => (
        <>
          {COLUMNS.map(({ id, label }) => (
            <label key={id} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={chosen.has(id)}
                onChange={(event) => choose(id, event.target.checked)}
              />
              {label}
            </label>
          ))}
          <p>{COLUMNS_MENU.narrow}</p>
        </>
      )}
    </Popup>
  );
}

/** The filters that links from the metrics page set, each with a button that removes it. */
type Field = "endedSince" | "endedBefore" | "outcome" | "tool" | "failedTool" | "subPlans";

const NAMES: Readonly<Record<Field, (value: string) => string>> = {
  endedSince: (at) => ENDED_FILTERS.finishedSince(timeText(at)),
  endedBefore: (at) => ENDED_FILTERS.finishedBefore(timeText(at)),
  outcome: (outcome) => ENDED_FILTERS.outcome(OUTCOME_NAMES[outcome] ?? outcome),
  tool: (tool) => ENDED_FILTERS.withTool(tool),
  failedTool: (tool) => ENDED_FILTERS.withFailedTool(tool),
  subPlans: () => ENDED_FILTERS.withoutSubPlans,
};
const FIELDS = Object.keys(NAMES) as readonly Field[];

type EndedFiltersProps = {
  readonly filter: ListFilter;
  readonly onChange: (filter: ListFilter) => void;
};

function EndedFilters({ filter, onChange }: EndedFiltersProps) {
  const said = FIELDS.flatMap((field) => {
    const value = filter[field];
    return value === undefined ? [] : [{ field, name: NAMES[field](value) }];
  });
  if (said.length === 0) return null;
  return (
    <ul className="flex flex-[1_0_100%] flex-wrap gap-1.5" aria-label={LABEL}>
      {said.map(({ field, name }) => (
        <li
          key={field}
          className="flex items-center gap-0.5 rounded-full border border-line bg-surface pl-2.5 text-sm"
        >
          {name}
          <IconButton
            className="size-7"
            icon="close"
            size={12}
            label={removeLabel(name)}
            onClick={() => onChange({ ...filter, [field]: "" })}
          />
        </li>
      ))}
    </ul>
  );
}

/** An address can contain anything. */
function timeText(at: string): string {
  return Number.isNaN(Date.parse(at)) ? at : formatDateTime(at);
}
