import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 120_000;
const RELEASES_URL = "https://github.com/nats-io/nats-server/releases/download";

export const RELEASE_VERSION = "2.14.5";

/** sha256 of the release archives, by platform and processor. */
const RELEASE_SHA256: Readonly<Record<string, string>> = {
  "linux-amd64": "5e3b603d47c447bda1f77f9ac16dbf91c90aac4ff3681f8fbbc7201e4ed99355",
  "linux-arm64": "673a98d3faa79dde3f9ebf16d6dfac36a5f694e7ad2015e4954dd7939c85cd4c",
};

/**
 * Downloads the release archive of nats-server and unpacks it.
 *
 * `NATS_SERVER_RELEASES` replaces the base URL of the archives, for machines that use a mirror. The archive must have the
 * pinned checksum.
 *
 * @returns The path of the executable, inside `work`.
 * @throws {Error} When there is no pinned archive for this machine, or the download or its sha256 fails.
 */
export async function fetchRelease({
  env,
  work,
  signal,
}: {
  env: NodeJS.ProcessEnv;
  work: string;
  signal: AbortSignal | undefined;
}): Promise<string> {
  const target = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const wanted = RELEASE_SHA256[target];
  if (wanted === undefined) throw new Error(`no pinned archive for ${target}`);

  const name = `nats-server-v${RELEASE_VERSION}-${target}`;
  const url = `${env["NATS_SERVER_RELEASES"] || RELEASES_URL}/v${RELEASE_VERSION}/${name}.tar.gz`;
  const timeout = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  if (!response.ok) throw new Error(`${new URL(url).host} responded with ${response.status}`);

  const archive = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash("sha256").update(archive).digest("hex");
  if (sha256 !== wanted) throw new Error(`the archive's sha256 is ${sha256}, expected ${wanted}`);
  const file = path.join(work, "nats-server.tar.gz");
  await writeFile(file, archive);
  await run("tar", ["-xzf", file, "-C", work], { signal });
  return path.join(work, name, "nats-server");
}
