// The images that files name, and the command that builds ours. The tests reach no registry: the digests are invented.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { buildArguments, imageFaults, imageReferences, pinImages } from "./publish/images.ts";

const ROOT = path.dirname(import.meta.dirname);
const FILES = [
  "Dockerfile",
  "docker-compose.yml",
  "deploy/cluster/docker-compose.yml",
  "deploy/kubernetes/planwright/values.yaml",
];
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-images-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const digestOf = (image: string) => `sha256:${Buffer.from(image.padEnd(32)).toString("hex").slice(0, 64)}`;

it("finds every third-party image in the files that build and run the system", async () => {
  const references = await imageReferences(ROOT);
  expect(references.map(({ file, image }) => `${file} ${image}`)).toEqual([
    expect.stringMatching(/^Dockerfile node:26\.\d+\.\d+-bookworm-slim$/),
    expect.stringMatching(/^docker-compose.yml nats:2\.14\.\d+-alpine$/),
    expect.stringMatching(/^docker-compose.yml grafana\/otel-lgtm:/),
    expect.stringMatching(/^deploy\/cluster\/docker-compose.yml nats:2\.14\.\d+-alpine$/),
    expect.stringMatching(/^deploy\/kubernetes\/planwright\/values.yaml nats:2\.14\.\d+-alpine$/),
    expect.stringMatching(
      /^deploy\/kubernetes\/planwright\/values.yaml natsio\/nats-server-config-reloader:/,
    ),
  ]);
});

it("pins all of them, and can repeat that, so that none blocks a release", async () => {
  for (const file of FILES) await cp(path.join(ROOT, file), path.join(folder, file), { recursive: true });
  const before = await imageReferences(folder);
  const pinned = await pinImages(folder, async (image) => `${digestOf(image)}\n`);
  const nats = before.find(({ image }) => image.startsWith("nats:"))?.image ?? "";
  expect(pinned).toContain(`${nats}@${digestOf(nats)}`);
  expect(await imageReferences(folder)).toEqual(
    before.map(({ file, image }) => ({ file, image, digest: digestOf(image) })),
  );
  expect(await imageFaults(folder)).toEqual([]);
  const values: unknown = parse(await readFile(path.join(folder, FILES[3] ?? ""), "utf8"));
  expect(values).toMatchObject({
    nats: { container: { image: { digest: digestOf(nats) } } },
  });

  const moved = `sha256:${"0".repeat(64)}`;
  await pinImages(folder, async () => moved);
  expect((await imageReferences(folder)).map(({ digest }) => digest)).toEqual(before.map(() => moved));
});

it("finds a digest beside every image of the repository", async () => {
  expect(await imageFaults(ROOT)).toEqual([]);
});

it("names each image without a digest, with the command that pins it", async () => {
  for (const file of FILES) {
    const text = await readFile(path.join(folder, file), "utf8");
    await writeFile(
      path.join(folder, file),
      text.replace(/@sha256:\w+/g, "").replace(/^ *digest: .*\n/gm, ""),
    );
  }
  const references = await imageReferences(folder);
  expect(await imageFaults(folder)).toEqual(
    references.map(({ file, image }) => expect.stringMatching(`^${file} names ${image} without .*--pin`)),
  );
});

it("rejects a registry's response that is not a digest, and changes no file", async () => {
  const text = await readFile(path.join(folder, "Dockerfile"), "utf8");
  await expect(pinImages(folder, async () => "latest")).rejects.toThrow('got "latest"');
  expect(await readFile(path.join(folder, "Dockerfile"), "utf8")).toBe(text);
});

it("builds the image for both processor architectures, with provenance and a bill of materials", () => {
  const args = buildArguments({ repository: "registry.example.com/planwright", version: "1.2.3" });
  expect(args.join(" ")).toBe(
    "buildx build --platform linux/amd64,linux/arm64 --provenance=mode=max --sbom=true --tag registry.example.com/planwright:1.2.3 --push .",
  );
});
