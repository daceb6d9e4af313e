/**
 * The actions of the page. Each part adds its own with a label while it is shown, most of them with a key. The help and the
 * palette list these same actions, so that neither can be wrong.
 *
 * Keys do nothing while the user types, with a modifier, or when single keys are switched off (WCAG 2.1.4). Escape is not a
 * character and always works.
 */
import { type Memory, remembered } from "../ui/browser-memory.ts";
import { createStore, type Readable, type Store } from "../ui/create-store.ts";

export type KeyBinding = {
  /**
   * As in `KeyboardEvent.key`; two with a space between them are pressed one after the other. Absent for an action that
   * only the palette offers.
   */
  readonly keys?: string | undefined;
  /** The action's label in the help and the palette. */
  readonly label: string;
  /** Where the palette lists it; default `page`. */
  readonly group?: ActionGroup | undefined;
  /** Absent when the focused part handles the key itself: then it is only listed. */
  readonly run?: (() => void) | undefined;
};

/** Actions of the open page, actions that work everywhere, and pages to go to. */
export type ActionGroup = "page" | "everywhere" | "places";

/** A pressed key, and whether it was meant for something else. */
type KeyPress = {
  readonly key: string;
  /** Control, Alt or Meta. */
  readonly modified: boolean;
  /** Into a field. */
  readonly typing: boolean;
};

export type KeyMap = {
  /** All actions, in the order in which they were added. Of two with one key, or with one label and no key, the later wins. */
  readonly bindings: Readable<readonly KeyBinding[]>;
  /** Whether single keys are enabled. */
  readonly use: Store<"on" | "off">;
  /** @returns A function that removes the actions. */
  readonly add: (bindings: readonly KeyBinding[]) => () => void;
  /** @returns Whether the key triggered an action. */
  readonly press: (pressed: KeyPress) => boolean;
};

/** Maximum time between the keys of a sequence. */
const SEQUENCE_MS = 1_500;
const CLOSES = "Escape";

/** @param deps.now - Milliseconds of a monotonic clock. */
export function createKeyMap(deps: {
  readonly memory: Pick<Memory, "getItem" | "setItem">;
  readonly now: () => number;
}): KeyMap {
  const use = remembered(deps.memory, { key: "keys", values: ["on", "off"] });
  const added = createStore<readonly (readonly KeyBinding[])[]>([]);
  const bindings = createStore<readonly KeyBinding[]>([]);
  added.subscribe(() =>
    // A map keeps the position of the first entry and the value of the last.
    bindings.set([...new Map(added.get().flatMap((own) => own.map((one) => [nameOf(one), one]))).values()]),
  );
  let begun: { readonly key: string; readonly atMs: number } | undefined;

  const press = ({ key, modified, typing }: KeyPress): boolean => {
    const first = begun !== undefined && deps.now() - begun.atMs < SEQUENCE_MS ? begun.key : undefined;
    begun = undefined;
    if (modified || (key !== CLOSES && (typing || use.get() === "off"))) return false;
    const find = (keys: string) => bindings.get().find((one) => one.keys === keys)?.run;
    const run = (first === undefined ? undefined : find(`${first} ${key}`)) ?? find(key);
    if (run !== undefined) {
      run();
      return true;
    }
    const begins = bindings.get().some(({ run, keys }) => run !== undefined && keys?.startsWith(`${key} `));
    if (begins) begun = { key, atMs: deps.now() };
    return begins;
  };
  return {
    bindings,
    use,
    press,
    add: (own) => {
      added.set([...added.get(), own]);
      return () => added.set(added.get().filter((one) => one !== own));
    },
  };
}

function nameOf({ keys, label }: KeyBinding): string {
  return keys ?? `action ${label}`;
}
