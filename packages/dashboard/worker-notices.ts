/** Licence notices of the libraries that only workers use: Vite writes those of the page's own chunks. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "vite";

/** The folder of the package that a module belongs to. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

type Manifest = { readonly name: string; readonly version: string; readonly license: string };

/** @param fileName - The file that Vite writes its notices to; those of the workers are appended. */
export function workerNotices(fileName: string): {
  readonly fileName: string;
  readonly inWorker: Plugin;
  readonly inPage: Plugin;
} {
  const folders = new Set<string>();
  return {
    fileName,
    inWorker: {
      name: "libraries-of-workers",
      generateBundle(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
          const [folder] = PACKAGE.exec(id) ?? [];
          if (folder !== undefined) folders.add(folder);
        }
      },
    },
    inPage: {
      name: "notices-of-workers",
      generateBundle: {
        order: "post",
        async handler(_options, bundle) {
          const file = bundle[fileName];
          if (file?.type !== "asset")
            throw new Error(`${fileName}: wanted the notices that Vite writes, found none`);
          const notices = await Promise.all([...folders].sort().map(noticeOf));
          const written = String(file.source);
          const missing = notices.filter(({ title }) => !written.includes(title));
          file.source = written + missing.map(({ title, text }) => `\n${title}\n\n${text}\n`).join("");
        },
      },
    },
  };
}

async function noticeOf(folder: string): Promise<{ readonly title: string; readonly text: string }> {
  const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as Manifest;
  const name = (await readdir(folder)).find((file) => /^(?:licen[cs]e|copying)/i.test(file));
  if (name === undefined) throw new Error(`${manifest.name} has no licence file`);
  const text = (await readFile(path.join(folder, name), "utf8")).trim();
  return { title: `## ${manifest.name} - ${manifest.version} (${manifest.license})`, text };
}
