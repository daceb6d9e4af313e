import clsx from "clsx";
import { useEffect, useRef } from "react";
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

const LOOKS: Readonly<Record<Theme, { readonly words: string; readonly icon: IconName }>> = {
  auto: { words: THEME_BUTTON.auto, icon: "theme-auto" },
  light: { words: THEME_BUTTON.light, icon: "theme-light" },
  dark: { words: THEME_BUTTON.dark, icon: "theme-dark" },
};

const LINK = "flex-none text-sm whitespace-nowrap text-soft no-underline hover:text-ink";

/** On a narrow screen: two rows, so that the system pages' links stay large enough to tap. */
export function TopBar({ info, current }: { info: SystemInfo | undefined; current: Place | undefined }) {
  return (
    <>
      <header className="sticky top-0 z-20 flex h-13.5 items-center gap-3 border-b border-line bg-surface px-5 [grid-area:bar] max-lg:h-auto max-lg:min-h-13.5 max-lg:flex-wrap max-lg:px-3.5 max-lg:pt-2 max-sm:gap-2 print:hidden">
        <Link
          className="inline-flex flex-none items-center gap-2.5 text-lg font-bold tracking-[-0.015em] text-ink no-underline"
          href="/"
          aria-label={TOP_BAR.planwrightHome}
        >
          <Logo />
          <span className="max-sm:hidden">{TOP_BAR.planwright}</span>
        </Link>
        {info !== undefined && (
          <span className="text-xs text-faint max-sm:hidden lg:max-xl:hidden">{info.version}</span>
        )}
        <Places current={current} />
        <span className="spacer" />
        <ConnectionBadge />
        <PaletteButton />
        {info !== undefined && !info.demoModel && <Models models={info.models} />}
        <a className={`${LINK} py-1`} href="/docs/guide/" title={TOP_BAR.helpTitle}>
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

/** The ends of the row of links, which fade out clipped links. At its own end, each fade covers nothing. */
const EDGE = "pointer-events-none sticky flex-none from-surface xl:hidden forced-colors:hidden";

/** On a narrow screen, the row of links scrolls to the open page. */
function Places({ current }: { current: Place | undefined }) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav
      className="flex flex-none overflow-x-auto max-xl:min-w-0 max-xl:flex-initial max-lg:order-1 max-lg:-mx-3.5 max-lg:flex-[1_0_100%] xl:ml-0.5"
      aria-label={TOP_BAR.system}
      ref={row}
    >
      <span className={`${EDGE} left-0 -mr-1.5 w-3.5 bg-linear-to-r`} />
      {PLACES.map((place) => (
        <Link
          key={place}
          className={`${LINK} px-1.5 py-1 -outline-offset-2 aria-[current=page]:font-semibold aria-[current=page]:text-ink max-lg:px-2 max-lg:py-2 max-sm:px-1.5 xl:px-2`}
          href={`/${place}`}
          aria-current={current === place ? "page" : undefined}
        >
          {PLACE_NAMES[place]}
        </Link>
      ))}
      <span className={`${EDGE} right-0 w-6 bg-linear-to-l`} />
    </nav>
  );
}

function Models({ models }: { models: SystemInfo["models"] }) {
  const names = [...new Set([models.planner, models.executor, models.reflector])];
  const title = TOP_BAR.models(models.planner, models.executor, models.reflector);
  return (
    <span
      className="max-w-[30ch] min-w-0 flex-initial truncate text-xs text-faint max-2xl:hidden"
      title={title}
    >
      {names.join(" · ")}
    </span>
  );
}

/** Known later than the rest, so it is at the end, where it moves nothing. */
function OfflineBanner() {
  return (
    <aside
      className="sticky bottom-0 z-15 flex items-center justify-center gap-2 border-t border-[color-mix(in_srgb,var(--warn)_25%,var(--border))] bg-warn-soft px-5 py-1.5 text-sm [grid-area:banner] max-lg:px-3.5 print:hidden"
      data-part="demo-banner"
      aria-label={TOP_BAR.aboutTheModel}
    >
      <Icon className="flex-none text-warn" name="info" size={15} />
      <span>
        <strong>{TOP_BAR.demoModel}</strong>{" "}
        <span className="text-soft max-sm:hidden">
          {TOP_BAR.set} <code>{TOP_BAR.openaiApiKey}</code> {TOP_BAR.or} <code>{TOP_BAR.openaiBaseUrl}</code>
          {TOP_BAR.andRestart}
        </span>
      </span>
    </aside>
  );
}

/**
 * Whether the page is live. Shows nothing while nothing is watched. On a narrow screen it shows only the dot, because the
 * text changes in width; screen readers still get the text.
 */
function ConnectionBadge() {
  const { live } = useServices();
  const connection = useStore(live.connection);
  return (
    <span
      className={clsx(
        "inline-flex items-center gap-1.5 text-xs font-medium text-soft empty:hidden data-[connection=reconnecting]:text-warn max-sm:w-2 max-sm:gap-3.5 max-sm:overflow-clip max-sm:whitespace-nowrap max-sm:[overflow-clip-margin:4px]",
        "before:size-2 before:flex-none before:rounded-full before:bg-warn data-[connection=open]:before:bg-ok data-[connection=open]:before:ring-3 data-[connection=open]:before:ring-ok-soft forced-colors:before:forced-color-adjust-none",
        "max-sm:data-[connection=reconnecting]:before:bg-transparent max-sm:data-[connection=reconnecting]:before:outline-2 max-sm:data-[connection=reconnecting]:before:outline-warn",
      )}
      data-connection={connection}
      title={CONNECTION_NAMES[connection]}
      role="status"
    >
      {CONNECTION_NAMES[connection]}
    </span>
  );
}

/** Three parallel steps that join into one. */
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

/** Cycles from the system's theme to light, to dark, and back. */
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

/** The user's name and role, and a button to sign out. Empty if the gateway needs no credentials. */
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
    <span className="inline-flex flex-none items-center gap-2">
      <span
        className="max-w-[24ch] truncate text-sm text-soft max-sm:max-w-[9ch]"
        data-testid="account"
        title={`${identity}, ${role}`}
      >
        <span className="visually-hidden">{ACCOUNT.signedInAs} </span>
        {name} <span className="text-faint lg:max-xl:hidden">{role}</span>
      </span>
      {error !== undefined && <span role="alert">{error.message}</span>}
      <Button className="max-sm:px-1.5" kind="quiet" disabled={busy} onClick={signOut}>
        {ACCOUNT.signOut}
      </Button>
    </span>
  );
}
