/**
 * VitePress's default theme with the fonts of the reader's system, so that no page loads a font from another host, and with
 * links to the gateway's other pages.
 */
import theme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

/** Outside of the site: its own links all begin with its base. */
const links = () =>
  h("nav", { class: "gateway-links", "aria-label": "Gateway" }, [
    h("a", { href: "/" }, "Dashboard"),
    h("a", { href: "/docs" }, "HTTP reference"),
  ]);

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { "nav-bar-content-after": links, "nav-screen-content-after": links }),
};
