/**
 * Downloads a program from the Debian archive without installing it and without root: apt runs on a private folder, with
 * the machine's own mirror, proxy and archive key.
 */
import { execFile } from "node:child_process";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describeError } from "@planwright/shared/errors";

const run = promisify(execFile);
const APT_TIMEOUT_MS = 120_000;

/**
 * Downloads the package of `suite`, with signatures checked by apt, and unpacks it.
 *
 * @returns The path of the executable, inside `work`.
 * @throws {Error} When the machine lacks apt, the archive key or a mirror, or the suite lacks the package.
 */
export async function fetchFromApt({
  packageName,
  executable,
  suite,
  work,
  signal,
}: {
  packageName: string;
  /** Its path in the package. */
  executable: string;
  suite: string;
  work: string;
  signal: AbortSignal | undefined;
}): Promise<string> {
  const limits = { timeout: APT_TIMEOUT_MS, signal };
  for (const folder of ["lists/partial", "cache/archives/partial", "state", "log", "out"]) {
    await mkdir(path.join(work, folder), { recursive: true });
  }
  const folders = [
    `Dir::State::lists=${work}/lists`,
    `Dir::State=${work}/state`,
    `Dir::Cache=${work}/cache`,
    `Dir::Log=${work}/log`,
  ];
  const source = path.join(work, "suite.sources");
  const mirror = await ownMirror(folders, limits);
  await writeFile(source, await sourceOf({ mirror, suite }));
  const settings = options([...folders, ...isolation(source)]);
  await run("apt-get", [...settings, "-q", "update"], limits);
  await run("apt-get", [...settings, "-q", "download", `${packageName}/${suite}`], {
    ...limits,
    cwd: path.join(work, "out"),
  });

  const archive = (await readdir(path.join(work, "out"))).find((name) => name.endsWith(".deb"));
  if (archive === undefined) throw new Error("apt-get downloaded no package");
  const unpacked = path.join(work, "unpacked");
  await run("dpkg-deb", ["-x", path.join(work, "out", archive), unpacked], limits);
  return path.join(unpacked, executable);
}

/** Returns apt's last line of output if there is any: its error only says that the command failed. */
export function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && "stderr" in error ? error.stderr : undefined;
  const lastLine = typeof stderr === "string" ? stderr.trim().split("\n").at(-1) : undefined;
  return lastLine || describeError(error);
}

/** Returns the mirror that the machine's own apt sources use for the main archive. */
async function ownMirror(
  folders: string[],
  limits: { timeout: number; signal: AbortSignal | undefined },
): Promise<string> {
  const { stdout } = await run("apt-get", [...options(folders), "update", "--print-uris"], limits);
  const indexes = [...stdout.matchAll(/^'(https?:\/\/[^']+?)\/dists\/([^/']+)\/InRelease'/gm)];
  const main = indexes.find(([, , suite = ""]) => !/-(security|updates|backports)/.test(suite));
  if (main?.[1] === undefined) throw new Error("the apt sources contain no main archive");
  return main[1];
}

async function sourceOf({ mirror, suite }: { mirror: string; suite: string }): Promise<string> {
  const debian = /^ID=debian$/m.test(await readFile("/etc/os-release", "utf8"));
  if (!debian) throw new Error("this machine does not run Debian, whose archive contains this suite");
  const key = "/usr/share/keyrings/debian-archive-keyring.gpg";
  await access(key);
  const lines = [
    "Types: deb",
    `URIs: ${mirror}`,
    `Suites: ${suite}`,
    "Components: main",
    `Signed-By: ${key}`,
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Options that keep apt from reading or writing the machine's own lists, pins and sources, and from accepting unsigned packages.
 */
function isolation(source: string): string[] {
  return [
    `Dir::Etc::sourcelist=${source}`,
    "Dir::Etc::sourceparts=/dev/null",
    "Dir::Etc::preferences=/dev/null",
    "Dir::Etc::preferencesparts=/dev/null",
    "Acquire::Languages=none",
    "Acquire::PDiffs=false",
    "Acquire::Retries=2",
    "Acquire::AllowInsecureRepositories=false",
    "APT::Get::AllowUnauthenticated=false",
    "APT::Sandbox::User=",
    "APT::Update::Error-Mode=any",
  ];
}

function options(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-o", setting]);
}
