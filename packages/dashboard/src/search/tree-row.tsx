import { Icon } from "../ui/icons.tsx";
import { NodeStateBadge } from "./node-state.tsx";
import { actionOf, type SearchRow } from "./search-rows.ts";
import { TREE_ROW } from "./search-words.ts";
import styles from "./search.module.css";

type Props = {
  readonly row: SearchRow;
  readonly isOpen: boolean;
  /** It is the one that Tab goes to. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onFocus: (id: string) => void;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (id: string) => void;
};

export function TreeRow({ row, isOpen, isActive, isSelected, onFocus, onSelect, onToggle }: Props) {
  const { node, level, position, siblings, children, isOnBestPath, state } = row;
  const { id, visits, meanValue, value, uct } = node;
  return (
    <li
      className={styles.searchRow}
      role="treeitem"
      data-node={id}
      data-best={isOnBestPath}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={children > 0 ? isOpen : undefined}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(id)}
      onClick={() => onSelect(id)}
    >
      <span
        className={styles.searchToggle}
        aria-hidden="true"
        onClick={(event) => {
          if (children === 0) return;
          event.stopPropagation();
          onToggle(id);
        }}
      >
        {children > 0 && <Icon name="chevron" size={14} />}
      </span>
      <span className={styles.searchAction} title={actionOf(row)}>
        {isOnBestPath && (
          <span className={styles.searchBest}>
            <Icon name="critical" size={9} />
            <span className="visually-hidden">{TREE_ROW.onTheBestPath} </span>
          </span>
        )}
        {actionOf(row)} <code>{id}</code>
      </span>
      <NodeStateBadge state={state} />
      <span className={styles.searchValue}>
        <span className={styles.searchBar} aria-hidden="true">
          <span style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
        </span>
        <Figure name="value" text={uct === null ? "–" : value.toFixed(2)} />
      </span>
      <Figure name="mean" text={uct === null ? "–" : meanValue.toFixed(2)} />
      <Figure name={visits === 1 ? "visit" : "visits"} text={String(visits)} />
      <Figure name="UCT" text={uct === null ? "–" : uct.toFixed(2)} />
    </li>
  );
}

function Figure({ name, text }: { name: string; text: string }) {
  return (
    <span className={styles.searchFigure}>
      <span>{name}</span> {text}
    </span>
  );
}
