/**
 * VitePress's default theme with the fonts of the reader's system, so that no page loads a font from another host, and with
 * links to the gateway's other pages.
 */
import theme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

/** With a target, because VitePress would look for a page of the site at any other link. */
const links = () =>
  h("nav", { class: "gateway-links", "aria-label": "Gateway" }, [
    h("a", { href: "/", target: "_self" }, "Dashboard"),
    h("a", { href: "/docs", target: "_self" }, "HTTP reference"),
  ]);

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { "nav-bar-content-after": links, "nav-screen-content-after": links }),
};
