import type { UserConfig } from "vitepress";

type Plugin = NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number];

const VUE = /^vue(?:\/server-renderer)?$/;

/** Leaves Vue an import of the pages that are rendered here: from docs/, which is outside of this package, none is found. */
export const vueOfPages: Plugin = {
  name: "vue-of-pages",
  enforce: "pre",
  resolveId(id, _importer, { ssr }: { readonly ssr?: boolean | undefined }) {
    return ssr === true && VUE.test(id) ? { id, external: true } : undefined;
  },
};
