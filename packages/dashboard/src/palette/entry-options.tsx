import type { MouseEvent } from "react";
import { KeyCaps } from "../keys/key-caps.tsx";
import { useServices } from "../shell/services.ts";
import { useStore } from "../ui/create-store.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import type { Entry, EntryGroup, EntryList } from "./entry.ts";
import { GROUP_TITLES, PALETTE } from "./palette-words.ts";

const ICONS: Readonly<Record<EntryGroup, IconName>> = {
  page: "chevron",
  everywhere: "chevron",
  places: "link",
  plans: "planning",
  docs: "file",
};

/** Without a keyboard there are no keys to show. */
export const WITH_KEYS = "max-sm:[@media(hover:none)]:hidden";

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
    <div
      id={id}
      className="min-h-0 flex-1 scroll-pt-8.5 scroll-pb-2 overflow-y-auto px-2 pb-2 empty:hidden"
      role="listbox"
      aria-label={PALETTE.results}
    >
      {lists.map(({ group, entries }) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div
            id={`${id}-${group}`}
            className="sticky top-0 bg-raised px-2 pt-2.5 pb-1 text-xs font-semibold text-faint"
            role="presentation"
          >
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
  const Tag = entry.href === undefined ? "div" : "a";
  return (
    <Tag
      id={id}
      role="option"
      aria-selected={isActive}
      className="flex min-h-9.5 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-ink no-underline hover:bg-sunken aria-selected:bg-accent-soft max-sm:min-h-11 forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2"
      href={entry.href}
      tabIndex={entry.href === undefined ? undefined : -1}
      onClick={click}
      // The field keeps the focus while the pointer is used.
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
    >
      <Content entry={entry} />
    </Tag>
  );
}

const ABOUT = "flex-initial truncate text-xs text-soft";

function Content({ entry: { title, group, keys, about, plan } }: { entry: Entry }) {
  const isKeyUsed = useStore(useServices().keys.use) === "on";
  return (
    <>
      <Icon className="flex-none text-faint" name={ICONS[group]} size={14} />
      <span className="flex-auto truncate" data-part="palette-title">
        {title}
      </span>
      {plan?.parent !== undefined && <span className={ABOUT}>{PALETTE.subPlan}</span>}
      {plan !== undefined && <PlanStatusBadge status={plan.status} answer={plan.answerStatus} plain />}
      {about !== undefined && <span className={ABOUT}>{about}</span>}
      {keys !== undefined && isKeyUsed && (
        <span className={WITH_KEYS}>
          <KeyCaps keys={keys} />
        </span>
      )}
    </>
  );
}
