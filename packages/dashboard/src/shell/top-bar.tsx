import type { SystemInfo } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { PageKeys } from "../keys/page-keys.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { Notifications } from "../notify/notifications.tsx";
import { PaletteButton } from "../palette/palette-button.tsx";
import { Link } from "../router/link.tsx";
import { type Place, PLACES } from "../router/use-route.ts";
import { useCaller } from "../sign-in/caller.ts";
import { ACCOUNT } from "../sign-in/sign-in-words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useStore } from "../ui/create-store.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { useServices } from "./services.ts";
import { CONNECTION_NAMES, PLACE_NAMES, THEME_BUTTON, TOP_BAR } from "./shell-words.ts";
import { type Theme, THEMES } from "./theme.ts";
import accountStyles from "../sign-in/account.module.css";
import styles from "./top-bar.module.css";

const LOOKS: Readonly<Record<Theme, { readonly words: string; readonly icon: IconName }>> = {
  auto: { words: THEME_BUTTON.auto, icon: "theme-auto" },
  light: { words: THEME_BUTTON.light, icon: "theme-light" },
  dark: { words: THEME_BUTTON.dark, icon: "theme-dark" },
};

export function TopBar({ info, current }: { info: SystemInfo | undefined; current: Place | undefined }) {
  return (
    <>
      <header className={styles.topBar}>
        <Link className={styles.brand} href="/" aria-label={TOP_BAR.planwrightHome}>
          <Logo />
          <span>{TOP_BAR.planwright}</span>
        </Link>
        {info !== undefined && <span className={styles.version}>{info.version}</span>}
        <nav className={styles.topNav} aria-label={TOP_BAR.system}>
          {PLACES.map((place) => (
            <Link
              key={place}
              className={styles.topLink}
              href={`/${place}`}
              aria-current={current === place ? "page" : undefined}
            >
              {PLACE_NAMES[place]}
            </Link>
          ))}
        </nav>
        <span className="spacer" />
        <ConnectionBadge />
        <PaletteButton />
        {info !== undefined && !info.demoModel && <Models models={info.models} />}
        <a className={styles.topLink} href="/docs/guide/" title={TOP_BAR.helpTitle}>
          {TOP_BAR.help}
        </a>
        <Notifications />
        <ThemeButton />
        <Account />
        <PageKeys />
      </header>
      {info?.demoModel === true && <OfflineBanner />}
    </>
  );
}

function Models({ models }: { models: SystemInfo["models"] }) {
  const names = [...new Set([models.planner, models.executor, models.reflector])];
  const title = TOP_BAR.models(models.planner, models.executor, models.reflector);
  return (
    <span className={styles.models} title={title}>
      {names.join(" · ")}
    </span>
  );
}

function OfflineBanner() {
  return (
    <aside className={styles.offlineBanner} aria-label={TOP_BAR.aboutTheModel}>
      <Icon name="info" size={15} />
      <span>
        <strong>{TOP_BAR.demoModel}</strong>{" "}
        <span className={styles.offlineHint}>
          {TOP_BAR.set} <code>{TOP_BAR.openaiApiKey}</code> {TOP_BAR.or} <code>{TOP_BAR.openaiBaseUrl}</code>
          {TOP_BAR.andRestart}
        </span>
      </span>
    </aside>
  );
}

/** Whether what is shown is live. Nothing is said while nothing is watched. */
function ConnectionBadge() {
  const { live } = useServices();
  const connection = useStore(live.connection);
  return (
    <span
      className={styles.connection}
      data-connection={connection}
      title={CONNECTION_NAMES[connection]}
      role="status"
    >
      {CONNECTION_NAMES[connection]}
    </span>
  );
}

/** Three steps in parallel that meet in one. */
function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeOpacity=".65" strokeWidth="2.2">
        <path d="M10 10h5a6 6 0 0 1 6 6a6 6 0 0 1-6 6h-5M10 16h11" />
      </g>
      <g fill="var(--on-accent)">
        <circle cx="9" cy="10" r="3" />
        <circle cx="9" cy="16" r="3" />
        <circle cx="9" cy="22" r="3" />
        <circle cx="23" cy="16" r="3.6" />
      </g>
    </svg>
  );
}

/** Goes from the system's colours to light ones, to dark ones, and back. */
function ThemeButton() {
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
    <IconButton
      icon={LOOKS[current].icon}
      label={THEME_BUTTON.theme(LOOKS[current].words)}
      title={THEME_BUTTON.themeClickFor(LOOKS[current].words, LOOKS[next].words)}
      onClick={() => theme.set(next)}
    />
  );
}

/** The name and role of the user, and a button to sign out. Empty where the gateway needs no credentials. */
function Account() {
  const caller = useCaller();
  const { gateway, apiKey, signIn } = useServices();
  const { run, busy, error } = useAction(() => undefined);
  const credential = caller?.credential ?? "none";
  const signOut = () =>
    void run(async (signal) => {
      if (credential !== "session") apiKey.forget();
      signIn.ended(credential === "session" ? (await gateway.signOut(signal)).url : undefined);
    });
  useKeys(credential === "none" ? [] : [{ label: ACCOUNT.signOut, group: "everywhere", run: signOut }]);
  if (caller === undefined || credential === "none") return null;
  const { identity = caller.tenant, name = identity, role } = caller;
  return (
    <span className={accountStyles.account}>
      <span className={accountStyles.accountName} data-testid="account" title={`${identity}, ${role}`}>
        <span className="visually-hidden">{ACCOUNT.signedInAs} </span>
        {name} <span className={accountStyles.accountRole}>{role}</span>
      </span>
      {error !== undefined && <span role="alert">{error.message}</span>}
      <Button kind="quiet" disabled={busy} onClick={signOut}>
        {ACCOUNT.signOut}
      </Button>
    </span>
  );
}
