import { spawn } from "node:child_process";
import { once } from "node:events";

type Opener = readonly [command: string, ...args: string[]];

/** The programs that open an address, by platform. `explorer` and `open` come with the system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly Opener[]>>> = {
  darwin: [["open"]],
  win32: [["explorer"]],
};
/** Without one of these variables, other systems have no screen, and would start a browser for a text terminal. */
const SCREENS = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];
const OTHERS: readonly Opener[] = [["xdg-open"], ["wslview"], ["gio", "open"]];

/**
 * Opens a web address in the user's browser. No shell reads the address.
 *
 * @param env - PATH says where the program is; BROWSER names another one.
 * @returns Whether a program for it was started.
 */
export async function openAddress(
  url: URL,
  { platform = process.platform, env }: { readonly platform?: NodeJS.Platform; readonly env: Environment },
): Promise<boolean> {
  const browser = env["BROWSER"];
  const hasScreen = OPENERS[platform] !== undefined || SCREENS.some((name) => Boolean(env[name]));
  const known = hasScreen ? (OPENERS[platform] ?? OTHERS) : [];
  const openers: readonly Opener[] = browser ? [[browser], ...known] : known;
  for (const [command, ...args] of openers) {
    if (await starts(command, [...args, url.href], env)) return true;
  }
  return false;
}

type Environment = Readonly<Record<string, string | undefined>>;

async function starts(command: string, args: readonly string[], env: Environment): Promise<boolean> {
  const child = spawn(command, args, { env, stdio: "ignore", detached: true });
  child.unref();
  try {
    // Fails when there is no such program.
    await once(child, "spawn");
    return true;
  } catch {
    return false;
  }
}
