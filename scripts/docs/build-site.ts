import path from "node:path";
import { buildWhenChanged } from "@planwright/launcher";

const SOURCES = [
  "package.json",
  ".vitepress/**/*.{ts,css}",
  "src/**/*.ts",
  "../../docs/*.md",
  "../../docs/{guides,reference,strategies}/*.md",
  "../../docs/images/*",
];
const VITEPRESS = "node_modules/vitepress/bin/vitepress.js";

/**
 * Builds the docs site into `packages/docs-site/dist`, from which the gateway serves it, if a page or the site's sources have
 * changed.
 *
 * @param root - The repository's folder.
 * @throws {Error} When the build fails, for example because of a dead link.
 */
export async function buildSite(root: string, signal: AbortSignal): Promise<"fresh" | "built"> {
  return buildWhenChanged({
    packageDir: path.join(root, "packages/docs-site"),
    sources: SOURCES,
    command: (outDir) => [VITEPRESS, "build", ".", "--outDir", outDir],
    signal,
  });
}
