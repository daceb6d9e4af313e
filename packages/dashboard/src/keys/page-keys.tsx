import { lazy, Suspense, useState } from "react";
import { navigate, type Place, PLACES } from "../router/use-route.ts";
import { IconButton } from "../ui/button.tsx";
import { useKeys } from "./use-keys.ts";
import { PLACE_NAMES } from "../shell/shell-words.ts";
import { PAGE_KEYS } from "./keys-words.ts";

const PLACE_KEYS: Readonly<Record<Place, string>> = {
  plans: "g p",
  approvals: "g a",
  tools: "g t",
  workers: "g w",
  "dead-letters": "g d",
  metrics: "g f",
};

const KeysDialog = lazy(async () => ({ default: (await import("./keys-dialog.tsx")).KeysDialog }));

/** The keys of every page, and the button that lists all keys. */
export function PageKeys() {
  const [shown, setShown] = useState(false);
  const goTo = (path: string) => {
    navigate(path);
    scrollTo({ top: 0 });
  };
  useKeys([
    { keys: "?", label: PAGE_KEYS.showShortcuts, group: "everywhere", run: () => setShown(true) },
    { keys: "n", label: PAGE_KEYS.newGoal, group: "everywhere", run: () => newGoal(goTo) },
    { keys: "g h", label: "Home", group: "places", run: () => goTo("/") },
    ...PLACES.map((place) => ({
      keys: PLACE_KEYS[place],
      label: PLACE_NAMES[place],
      group: "places" as const,
      run: () => goTo(`/${place}`),
    })),
  ]);
  return (
    <>
      {/* Without a keyboard there are no keys to list. */}
      <IconButton
        icon="keyboard"
        className="max-sm:[@media(hover:none)]:hidden"
        label={PAGE_KEYS.keyboardShortcuts}
        title={PAGE_KEYS.keyboardShortcutsKey}
        onClick={() => setShown(true)}
      />
      {shown && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setShown(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The field takes the focus itself when its page opens. */
function newGoal(goTo: (path: string) => void): void {
  const field = document.getElementById("goal");
  if (field === null) goTo("/");
  else field.focus();
}
