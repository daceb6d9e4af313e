export { formatUsd } from "@planwright/plan/amounts";
