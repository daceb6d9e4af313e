import { useKeys } from "../keys/use-keys.ts";
import { useStore } from "../ui/create-store.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { useServices } from "./services.ts";
import { type Theme, THEMES } from "./theme.ts";

const LOOKS: Readonly<Record<Theme, { readonly words: string; readonly icon: IconName }>> = {
  auto: { words: "system", icon: "theme-auto" },
  light: { words: "light", icon: "theme-light" },
  dark: { words: "dark", icon: "theme-dark" },
};

/** Goes from the system's colours to light ones, to dark ones, and back. */
export function ThemeButton() {
  const { theme } = useServices();
  const current = useStore(theme);
  const next = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? "auto";
  useKeys(
    THEMES.filter((one) => one !== current).map((one) => ({
      label: `Theme: ${LOOKS[one].words}`,
      group: "everywhere" as const,
      run: () => theme.set(one),
    })),
  );
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Theme: ${LOOKS[current].words}`}
      title={`Theme: ${LOOKS[current].words}. Click for ${LOOKS[next].words}.`}
      onClick={() => theme.set(next)}
    >
      <Icon name={LOOKS[current].icon} />
    </button>
  );
}
