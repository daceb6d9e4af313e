/**
 * `npm run release`: builds and packs every published package, lists their dependencies, checks the requirements of a release,
 * and prints what it would publish. `--publish` publishes it, with provenance, in dependency order.
 */
import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { describeError } from "@planwright/shared/errors";
import { VERSION } from "@planwright/shared/version";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { buildArguments, imageFaults, pinImages } from "../publish/images.ts";
import { type PackedPackage, packPackage } from "../publish/pack-package.ts";
import { PUBLISHED } from "../publish/published-packages.ts";
import { auditFaults, writeBillOfMaterials } from "../publish/supply-chain.ts";
import { runProgram } from "../run-node.ts";

const run = promisify(execFile);
const PACKED = path.resolve("dist");
const HELP = `npm run release -- [options]

  --dry-run    build, pack and check; publish nothing (the default)
  --publish    publish when every check passes; needs an identity that npm accepts (in CI: OIDC)
  --image REPOSITORY   build the image for amd64 and arm64 and push it there, after the packages; needs Docker with buildx
  --pin        write the digest of each image that the files name beside its tag, and do nothing else; needs Docker
`;

/** @returns 0, 1 when a check fails or npm refuses, 2 for a bad command line. */
export async function releaseCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "number") return options;
  if (options.pin) return pinCommand();
  const faults = [...(await releaseFaults(process.cwd())), ...(await imageFaults(process.cwd()))];
  await mkdir(PACKED, { recursive: true });
  const packed: PackedPackage[] = [];
  for (const published of PUBLISHED) {
    const one = await packPackage(published, {
      root: process.cwd(),
      into: PACKED,
      signal: new AbortController().signal,
    });
    packed.push(one);
    faults.push(...(await packageFaults(one)));
    console.log(describe(one));
  }
  const bill = await writeBillOfMaterials(process.cwd(), { version: VERSION, into: PACKED });
  console.log(`${path.relative(process.cwd(), bill)}: the bill of materials, for the release's page`);
  faults.push(...(await auditFaults(process.cwd())));
  for (const fault of faults) console.error(`[release] ${fault}`);
  const image =
    options.image === undefined ? [] : buildArguments({ repository: options.image, version: VERSION });
  if (image.length > 0) console.log(`the image: docker ${image.join(" ")}`);
  if (!options.publish) {
    const verdict = faults.length === 0 ? "ready to publish" : `${faults.length} problems block the release`;
    console.log(`dry run: nothing was published; ${verdict}. \`--publish\` publishes with provenance.`);
    return faults.length === 0 ? 0 : 1;
  }
  if (faults.length > 0) return 1;
  for (const { tarball } of packed) {
    const code = await runProgram("npm", ["publish", tarball, "--provenance", "--access", "public"]);
    if (code !== 0) return code;
  }
  return image.length === 0 ? 0 : runProgram("docker", image);
}

async function pinCommand(): Promise<number> {
  try {
    for (const pinned of await pinImages(process.cwd())) console.log(pinned);
    return 0;
  } catch (error) {
    console.error(`[release] ${describeError(error)}`);
    return 1;
  }
}

/** What a release of the repository lacks at present, and how to fix it. */
export async function releaseFaults(root: string): Promise<string[]> {
  const faults: string[] = [];
  const { stdout: changed } = await run("git", ["status", "--porcelain"], { cwd: root });
  if (changed !== "") faults.push(`the work tree has changes: commit or remove them\n${changed.trimEnd()}`);
  const manifest: unknown = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const { version, repository } = manifest as { version?: unknown; repository?: unknown };
  if (version !== VERSION) {
    faults.push(
      `package.json has version ${String(version)}, packages/shared/package.json ${VERSION}: make them equal`,
    );
  }
  if (repository === undefined) {
    faults.push("package.json has no `repository`, which provenance requires: add its URL");
  }
  const changelog = await readFile(path.join(root, "CHANGELOG.md"), "utf8");
  if (!new RegExp(`^## ${RegExp.escape(VERSION)}\\b`, "m").test(changelog)) {
    faults.push(`CHANGELOG.md has no section "## ${VERSION}": rename the section Unreleased to the version`);
  }
  return faults;
}

async function packageFaults({ name, folder }: PackedPackage): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
  return messages.map((message) => `${name}: ${formatMessage(message, pkg ?? {}) ?? message.code}`);
}

function describe({ name, version, files, bytes, unpackedBytes, tarball }: PackedPackage): string {
  const size = `${Math.ceil(bytes / 1_024)} KB packed, ${Math.ceil(unpackedBytes / 1_024)} KB unpacked`;
  return `${name}@${version}: ${files.length} files, ${size}, ${path.relative("", tarball)}`;
}

type Options = { readonly publish: boolean; readonly pin: boolean; readonly image?: string };

function readOptions(args: readonly string[]): Options | number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        "dry-run": { type: "boolean", default: false },
        publish: { type: "boolean", default: false },
        pin: { type: "boolean", default: false },
        image: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    if (values.publish && values["dry-run"])
      throw new Error("--publish and --dry-run exclude each other: choose one");
    const { publish, pin, image } = values;
    return { publish, pin, ...(image === undefined ? {} : { image }) };
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n\n${HELP}`);
    return 2;
  }
}
