/** The container images: those that the repository's files name, each with a digest, and the one that a release builds. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describeError } from "@planwright/shared/errors";
import { parse } from "yaml";
import { z } from "zod";

const DOCKERFILE = "Dockerfile";
const COMPOSE = ["docker-compose.yml", "deploy/cluster/docker-compose.yml"];
const CHART_VALUES = "deploy/kubernetes/planwright/values.yaml";
/** Built from the Dockerfile, not pulled. */
const OWN_IMAGE = "planwright";
export const PLATFORMS = ["linux/amd64", "linux/arm64"];
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const ChartImage = z.object({
  image: z.object({ repository: z.string(), tag: z.string(), digest: z.string().default("") }),
});
const ChartValues = z.object({ nats: z.object({ container: ChartImage, reloader: ChartImage }) });

export type ImageReference = {
  readonly file: string;
  /** Repository and tag, such as `nats:2.14.6-alpine`. */
  readonly image: string;
  /** `sha256:` and hexadecimal digits; absent where the file names the tag only. */
  readonly digest?: string;
};

/** Every third-party image that is pulled to build or to run the system. */
export async function imageReferences(root: string): Promise<ImageReference[]> {
  const read = (file: string) => readFile(path.join(root, file), "utf8");
  const dockerfile = await read(DOCKERFILE);
  const stages = [...dockerfile.matchAll(/^FROM .* AS (\S+)$/gm)].map(([, stage]) => stage);
  const bases = new Set(
    [...dockerfile.matchAll(/^FROM (?:--\S+ )*([^\s$]+)/gm)].map(([, base = ""]) => base),
  );
  const references = [...bases]
    .filter((base) => !stages.includes(base))
    .map((base) => referenceOf(DOCKERFILE, base));
  for (const file of COMPOSE) {
    const named = [...(await read(file)).matchAll(/^\s*image: (\S+)$/gm)].map(([, image = ""]) => image);
    references.push(...named.filter((image) => image !== OWN_IMAGE).map((image) => referenceOf(file, image)));
  }
  const { nats } = ChartValues.parse(parse(await read(CHART_VALUES)));
  for (const { image } of [nats.container, nats.reloader]) {
    const digest = image.digest === "" ? "" : `@${image.digest}`;
    references.push(referenceOf(CHART_VALUES, `${image.repository}:${image.tag}${digest}`));
  }
  return references;
}

/** Images that make a release irreproducible because they are named by a tag, which can be moved. */
export async function imageFaults(root: string): Promise<string[]> {
  const references = await imageReferences(root);
  return references
    .filter(({ digest }) => digest === undefined || !DIGEST.test(digest))
    .map(
      ({ file, image }) =>
        `${file} names ${image} without a digest: run \`npm run release -- --pin\` where Docker reaches the registry`,
    );
}

/**
 * Writes the digest of each image beside its tag, in every file that names it.
 *
 * @param digestOf - Queries the registry.
 * @returns The pinned images, as `image@digest`.
 */
export async function pinImages(
  root: string,
  digestOf: (image: string) => Promise<string> = inspectImage,
): Promise<string[]> {
  const references = await imageReferences(root);
  const images = [...new Set(references.map(({ image }) => image))];
  const digests = new Map<string, string>();
  for (const image of images) {
    const digest = (await digestOf(image)).trim();
    if (!DIGEST.test(digest)) throw new Error(`wanted the digest of ${image}, got ${JSON.stringify(digest)}`);
    digests.set(image, digest);
  }
  for (const file of new Set(references.map((reference) => reference.file))) {
    const text = await readFile(path.join(root, file), "utf8");
    await writeFile(path.join(root, file), withDigests(text, digests));
  }
  return [...digests].map(([image, digest]) => `${image}@${digest}`);
}

/** The text of a Dockerfile, a Compose file or the chart's values with these digests. */
export function withDigests(text: string, digests: ReadonlyMap<string, string>): string {
  let pinned = text;
  for (const [image, digest] of digests) {
    const [repository = "", tag = ""] = image.split(":");
    const reference = new RegExp(
      `(^FROM (?:--\\S+ )*|^\\s*image: )${RegExp.escape(image)}(?:@\\S+)?(?=\\s)`,
      "gm",
    );
    const values = new RegExp(
      `^(\\s*)repository: ${RegExp.escape(repository)}\\n\\s*tag: ${RegExp.escape(tag)}\\n(?:\\s*digest: \\S*\\n)?`,
      "gm",
    );
    pinned = pinned
      .replace(reference, `$1${image}@${digest}`)
      .replace(values, `$1repository: ${repository}\n$1tag: ${tag}\n$1digest: ${digest}\n`);
  }
  return pinned;
}

/** The Docker arguments that build the image for every platform, with provenance and a bill of materials, and push it. */
export function buildArguments({
  repository,
  version,
}: {
  readonly repository: string;
  readonly version: string;
}): string[] {
  const attested = ["--provenance=mode=max", "--sbom=true"];
  return [
    "buildx",
    "build",
    "--platform",
    PLATFORMS.join(),
    ...attested,
    "--tag",
    `${repository}:${version}`,
    "--push",
    ".",
  ];
}

/** The digest of the index of all platforms. */
async function inspectImage(image: string): Promise<string> {
  const args = ["buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"];
  try {
    return (await promisify(execFile)("docker", args)).stdout;
  } catch (error) {
    throw new Error(`docker ${args.join(" ")}: ${describeError(error)}`, { cause: error });
  }
}

function referenceOf(file: string, named: string): ImageReference {
  const [image = "", digest] = named.split("@");
  return { file, image, ...(digest === undefined ? {} : { digest }) };
}
