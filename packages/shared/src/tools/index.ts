export { type AgentRegistry, type AgentSet, openAgentRegistry } from "./agent-registry.ts";
export {
  DATA_OWNER,
  DataSource,
  isInstalled,
  sourceKey,
  sourcesOfTenant,
  TableDescription,
  type TenantSources,
} from "./data-source.ts";
export {
  type ConfiguredSource,
  findSourcesFile,
  readSources,
  SOURCES_FILE,
  SourcesFile,
  type SourcesPlace,
} from "./sources-file.ts";
