/**
 * Moves the inline scripts of pages into files, because the gateway's content security policy refuses inline scripts.
 *
 * VitePress writes two: one sets dark mode before the first paint, the other marks a Mac for the search box's shortcut.
 */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const INLINE = /<script(?<attributes>(?![^>]*\ssrc=)[^>]*)>(?<code>[\s\S]*?)<\/script>/g;

export type ExternalScripts = {
  /** Replaces the inline scripts of a page by links to files. */
  transformHtml(html: string): string;
  /** Writes these files into the folder of the built site. */
  write(outDir: string): Promise<void>;
};

/** @param options.base - The path that the site is served at, with a slash at its end. */
export function externalScripts({ base }: { readonly base: string }): ExternalScripts {
  const byName = new Map<string, string>();
  return {
    transformHtml: (html) =>
      html.replaceAll(INLINE, (_, attributes: string, code: string) => {
        const name = `assets/inline.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
        byName.set(name, code);
        return `<script${attributes} src="${base}${name}"></script>`;
      }),
    async write(outDir) {
      await mkdir(path.join(outDir, "assets"), { recursive: true });
      for (const [name, code] of byName) await writeFile(path.join(outDir, name), code);
    },
  };
}
