import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { glob, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { docsPages } from "./docs-pages.ts";
import { workerNotices } from "./worker-notices.ts";

const GATEWAY = process.env["GATEWAY_URL"] ?? "http://127.0.0.1:8080";
/** Smaller files fit into one or two packets anyway. */
const COMPRESSED_BYTES_MIN = 1_024;

const notices = workerNotices("THIRD_PARTY_LICENSES.md");

/** Static files for the gateway to serve at `/`: no inline script, everything from the page's own host. */
export default defineConfig({
  plugins: [react(), tailwindcss(), docsPages(), compressFiles(), notices.inPage],
  build: {
    target: "es2023",
    // A data: URL or an inline script would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // The licence notices of the libraries in the page.
    license: { fileName: notices.fileName },
    reportCompressedSize: false,
  },
  worker: { format: "es", plugins: () => [notices.inWorker] },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": { target: GATEWAY, ws: true }, "/readyz": { target: GATEWAY } },
  },
});

/** Writes two compressed copies of each text file, as `.br` and `.gz`: the gateway does not compress while it serves. */
function compressFiles(): Plugin {
  let outDir = "";
  return {
    name: "compress-files",
    apply: "build",
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      for await (const name of glob("**/*.{js,css,svg,html}", { cwd: outDir })) {
        const file = path.join(outDir, name);
        const content = await readFile(file);
        if (content.byteLength < COMPRESSED_BYTES_MIN) continue;
        const [brotlied, gzipped] = await Promise.all([
          promisify(brotliCompress)(content),
          promisify(gzip)(content, { level: 9 }),
        ]);
        await Promise.all([writeFile(`${file}.br`, brotlied), writeFile(`${file}.gz`, gzipped)]);
      }
    },
  };
}
