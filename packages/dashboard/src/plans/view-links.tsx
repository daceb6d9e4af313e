import type { PlanCount } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { type ListView, textOf, withFilter } from "./list-filter.ts";
import { setFilter } from "./use-list-filter.ts";
import { countText } from "./use-view-filters.ts";
import { VIEW_LINKS } from "./plans-words.ts";
import styles from "./plans.module.css";

type Props = {
  readonly views: readonly ListView[];
  readonly current: string;
  readonly counts: ReadonlyMap<string, PlanCount>;
};

/** Views of the list with how many plans each has; each is a link that can be copied, or opened elsewhere. */
export function ViewLinks({ views, current, counts }: Props) {
  return (
    <ul className={styles.views} data-part="views" aria-label={VIEW_LINKS.views}>
      {views.map(({ name, filter }) => {
        const text = textOf(filter);
        const count = counts.get(text);
        return (
          <li key={name}>
            <Link
              className={styles.view}
              data-part="view"
              href={location.pathname + withFilter(location.search, filter)}
              aria-current={text === current ? "true" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                setFilter(filter);
              }}
            >
              <span className={styles.viewName}>{name}</span>
              {count !== undefined && (
                <span
                  className={styles.viewCount}
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
