export { bundleEntries, bundleServices, markUsed } from "./bundle-services.ts";
