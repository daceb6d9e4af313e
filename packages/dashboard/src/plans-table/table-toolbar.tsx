import { EndedFilters } from "../plans/ended-filters.tsx";
import { FilterPanel } from "../plans/filter-panel.tsx";
import { type ListFilter, textOf } from "../plans/list-filter.ts";
import type { ListOrder } from "../plans/list-order.ts";
import { SearchField } from "../plans/search-field.tsx";
import { setFilter } from "../plans/use-list-filter.ts";
import { useViewFilters } from "../plans/use-view-filters.ts";
import { ViewLinks } from "../plans/view-links.tsx";
import { Icon } from "../ui/icons.tsx";
import { ColumnsMenu } from "./columns-menu.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { TABLE_TOOLBAR } from "./plans-table-words.ts";
import styles from "./plans-table.module.css";

type Props = {
  readonly filter: ListFilter;
  readonly order: ListOrder;
  readonly version: number;
  readonly columns: ReadonlySet<string>;
  readonly onColumns: (columns: ReadonlySet<string>) => void;
};

/** The title, the views, and everything that changes which plans the table shows, and how. */
export function TableToolbar({ filter, order, version, columns, onColumns }: Props) {
  const { views, own, saved, counts, narrowed, isOpen, toggle } = useViewFilters(filter, version);
  return (
    <header className={styles.plansToolbar}>
      <h1 id="plans-title">{TABLE_TOOLBAR.plans}</h1>
      <ViewLinks views={views} current={textOf(filter)} counts={counts} />
      <SearchField filter={filter} firstRow={'[role="grid"] [role="row"][tabindex="0"]'} />
      <button
        type="button"
        className="button"
        aria-expanded={isOpen}
        aria-controls="plans-filters"
        onClick={toggle}
      >
        <Icon name="filter" size={15} />
        {TABLE_TOOLBAR.filters(narrowed)}
      </button>
      <ColumnsMenu chosen={columns} onChange={onColumns} />
      <ExportMenu filter={filter} order={order} />
      <EndedFilters filter={filter} onChange={setFilter} />
      <div id="plans-filters" hidden={!isOpen}>
        {isOpen && (
          <FilterPanel filter={filter} onChange={setFilter} counts={counts} saved={saved} views={own} />
        )}
      </div>
    </header>
  );
}
