import { useMemo, useState } from "react";
import { FilterPanel } from "../plans/filter-panel.tsx";
import {
  BUILT_IN_VIEWS,
  countFields,
  type ListFilter,
  OPEN_STATUSES,
  OUTCOMES,
  textOf,
} from "../plans/list-filter.ts";
import type { ListOrder } from "../plans/list-order.ts";
import { createSavedViews } from "../plans/saved-views.ts";
import { SearchField } from "../plans/search-field.tsx";
import { setFilter } from "../plans/use-list-filter.ts";
import { useViewCounts } from "../plans/use-view-counts.ts";
import { ViewLinks } from "../plans/view-links.tsx";
import { browserMemory } from "../ui/browser-memory.ts";
import { useStore } from "../ui/create-store.ts";
import { Icon } from "../ui/icons.tsx";
import { ColumnsMenu } from "./columns-menu.tsx";
import { ExportMenu } from "./export-menu.tsx";

const STATUS_FILTERS: readonly ListFilter[] = ["open", ...OPEN_STATUSES, ...OUTCOMES].map((status) => ({
  status,
}));

type Props = {
  readonly filter: ListFilter;
  readonly order: ListOrder;
  readonly version: number;
  readonly columns: ReadonlySet<string>;
  readonly onColumns: (columns: ReadonlySet<string>) => void;
};

/** The title, the views, and everything that changes which plans the table shows, and how. */
export function TableToolbar({ filter, order, version, columns, onColumns }: Props) {
  const [open, setOpen] = useState(false);
  const saved = useMemo(() => createSavedViews(browserMemory(() => localStorage)), []);
  const own = useStore(saved.views);
  const views = [...BUILT_IN_VIEWS, ...own];
  const counted = [...views.map((view) => view.filter), ...(open ? STATUS_FILTERS : [])];
  const counts = useViewCounts(counted, version);
  const narrowed = countFields(filter);
  return (
    <header className="plans-toolbar">
      <h1 id="plans-title">Plans</h1>
      <ViewLinks views={views} current={textOf(filter)} counts={counts} />
      <SearchField filter={filter} firstRow={'.plans-grid [role="row"][tabindex="0"]'} />
      <button
        type="button"
        className="button"
        aria-expanded={open}
        aria-controls="plans-filters"
        onClick={() => setOpen(!open)}
      >
        <Icon name="filter" size={15} />
        Filters{narrowed > 0 && ` (${narrowed})`}
      </button>
      <ColumnsMenu chosen={columns} onChange={onColumns} />
      <ExportMenu filter={filter} order={order} />
      <div id="plans-filters" hidden={!open}>
        {open && (
          <FilterPanel filter={filter} onChange={setFilter} counts={counts} saved={saved} views={own} />
        )}
      </div>
    </header>
  );
}
