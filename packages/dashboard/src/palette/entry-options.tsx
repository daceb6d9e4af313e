import type { MouseEvent } from "react";
import { KeyCaps } from "../keys/key-caps.tsx";
import { useServices } from "../shell/services.ts";
import { useStore } from "../ui/create-store.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import type { Entry, EntryGroup, EntryList } from "./entry.ts";
import { GROUP_TITLES, PALETTE } from "./palette-words.ts";
import styles from "./palette.module.css";

const ICONS: Readonly<Record<EntryGroup, IconName>> = {
  page: "chevron",
  everywhere: "chevron",
  places: "link",
  plans: "planning",
  docs: "file",
};

type Props = {
  readonly id: string;
  readonly lists: readonly EntryList[];
  readonly active: Entry | undefined;
  readonly idOf: (entry: Entry) => string;
  readonly onChoose: (entry: Entry, inNewTab: boolean) => void;
};

/** The listbox of the palette. Its options never have the focus: the field names the active one. */
export function EntryOptions({ id, lists, active, idOf, onChoose }: Props) {
  return (
    <div id={id} className={styles.paletteList} role="listbox" aria-label={PALETTE.results}>
      {lists.map(({ group, entries }) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className={styles.paletteGroup} role="presentation">
            {GROUP_TITLES[group]}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              id={idOf(entry)}
              entry={entry}
              isActive={entry === active}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

type OptionProps = Pick<Props, "onChoose"> & {
  readonly id: string;
  readonly entry: Entry;
  readonly isActive: boolean;
};

function Option({ id, entry, isActive, onChoose }: OptionProps) {
  const click = (event: MouseEvent) => {
    // The browser opens links in a new tab itself.
    if (entry.href !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey)) return;
    event.preventDefault();
    onChoose(entry, false);
  };
  const option = { id, role: "option", "aria-selected": isActive } as const;
  // The field keeps the focus while the pointer is used.
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  if (entry.href === undefined) {
    return (
      <div {...option} className={styles.paletteOption} onClick={click} onMouseDown={keepFocus}>
        <Content entry={entry} />
      </div>
    );
  }
  return (
    <a
      {...option}
      className={styles.paletteOption}
      href={entry.href}
      tabIndex={-1}
      onClick={click}
      onMouseDown={keepFocus}
    >
      <Content entry={entry} />
    </a>
  );
}

function Content({ entry: { title, group, keys, about, plan } }: { entry: Entry }) {
  const isKeyUsed = useStore(useServices().keys.use) === "on";
  return (
    <>
      <Icon name={ICONS[group]} size={14} />
      <span className={styles.paletteTitle} data-part="palette-title">
        {title}
      </span>
      {plan?.parent !== undefined && <span className={styles.paletteAbout}>{PALETTE.subPlan}</span>}
      {plan !== undefined && <PlanStatusBadge status={plan.status} answer={plan.answerStatus} plain />}
      {about !== undefined && <span className={styles.paletteAbout}>{about}</span>}
      {keys !== undefined && isKeyUsed && (
        <span className={styles.paletteKeys}>
          <KeyCaps keys={keys} />
        </span>
      )}
    </>
  );
}
