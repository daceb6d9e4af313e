export { bundleServices, markUsed } from "./bundle-services.ts";
