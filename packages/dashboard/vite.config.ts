import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const GATEWAY = process.env["GATEWAY_URL"] ?? "http://127.0.0.1:8080";

/** Static files for the gateway to serve at `/`: no inline script, everything from the page's own host. */
export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2023",
    // A data: URL or an inline script would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  worker: { format: "es" },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": { target: GATEWAY, ws: true }, "/readyz": { target: GATEWAY } },
  },
});
