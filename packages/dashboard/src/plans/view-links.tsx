import clsx from "clsx";
import type { PlanCount } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { type ListView, textOf, withFilter } from "./list-filter.ts";
import { setFilter } from "./use-list-filter.ts";
import { countText } from "./use-view-filters.ts";
import { VIEW_LINKS } from "./plans-words.ts";

type Props = {
  readonly views: readonly ListView[];
  readonly current: string;
  readonly className: string;
  readonly counts: ReadonlyMap<string, PlanCount>;
};

/** Views of the list with the number of plans in each; each is a link that can be copied, or opened in another tab. */
export function ViewLinks({ views, current, counts, className }: Props) {
  return (
    <ul className={clsx("flex gap-1.25", className)} data-part="views" aria-label={VIEW_LINKS.views}>
      {views.map(({ name, filter }) => {
        const text = textOf(filter);
        const count = counts.get(text);
        return (
          <li key={name} className="max-w-full flex-none">
            <Link
              className="inline-flex min-h-6.5 max-w-full items-center gap-1.5 rounded-full border border-line px-2.25 py-0.5 text-xs whitespace-nowrap text-soft no-underline hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-ink"
              data-part="view"
              href={location.pathname + withFilter(location.search, filter)}
              aria-current={text === current ? "true" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                setFilter(filter);
              }}
            >
              <span className="max-w-[20ch] truncate">{name}</span>
              {count !== undefined && (
                <span
                  className="text-faint tabular-nums"
                  data-part="view-count"
                  title={VIEW_LINKS.subPlansNotCounted}
                >
                  {countText(count)}
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
