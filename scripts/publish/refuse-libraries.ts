import type { Rolldown } from "tsdown";

/** Fails a build that bundles an npm package: it would be published without that package's licence notice. */
export const refuseLibraries: Rolldown.Plugin = {
  name: "refuse-libraries",
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    const foreign = modules.filter((id) => id.includes("/node_modules/"));
    if (foreign.length === 0) return;
    this.error(
      `${foreign.slice(0, 5).join(", ")}: these packages are inside the output instead of being imported: make them dependencies`,
    );
  },
};
