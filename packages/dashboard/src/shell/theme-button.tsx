import { useKeys } from "../keys/use-keys.ts";
import { useStore } from "../ui/create-store.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { useServices } from "./services.ts";
import { type Theme, THEMES } from "./theme.ts";
import { THEME_BUTTON } from "./shell-words.ts";

const LOOKS: Readonly<Record<Theme, { readonly words: string; readonly icon: IconName }>> = {
  auto: { words: THEME_BUTTON.auto, icon: "theme-auto" },
  light: { words: THEME_BUTTON.light, icon: "theme-light" },
  dark: { words: THEME_BUTTON.dark, icon: "theme-dark" },
};

/** Goes from the system's colours to light ones, to dark ones, and back. */
export function ThemeButton() {
  const { theme } = useServices();
  const current = useStore(theme);
  const next = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? "auto";
  useKeys(
    THEMES.filter((one) => one !== current).map((one) => ({
      label: THEME_BUTTON.theme(LOOKS[one].words),
      group: "everywhere" as const,
      run: () => theme.set(one),
    })),
  );
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={THEME_BUTTON.theme(LOOKS[current].words)}
      title={THEME_BUTTON.themeClickFor(LOOKS[current].words, LOOKS[next].words)}
      onClick={() => theme.set(next)}
    >
      <Icon name={LOOKS[current].icon} />
    </button>
  );
}
