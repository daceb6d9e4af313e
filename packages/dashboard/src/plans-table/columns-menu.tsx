import { COLUMNS } from "./columns.tsx";
import { Popup } from "../ui/popup.tsx";
import { COLUMNS_MENU } from "./plans-table-words.ts";
import styles from "../ui/popup.module.css";

type Props = {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
};

/** Chooses the columns beside the goal. */
export function ColumnsMenu({ chosen, onChange }: Props) {
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
            <label key={id} className={styles.popupCheck}>
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
