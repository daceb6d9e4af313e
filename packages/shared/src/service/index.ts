export { type ApiKey, apiKeyOf, TENANT_DEFAULT } from "./api-key.ts";
export { retentionConfig, commonConfig, type CommonConfig } from "./common-config.ts";
export { type ConfigFileText, findConfigFile, invalidConfigFile, parseConfigFile } from "./config-file.ts";
export { boolean, duration, integer, list, oneOf, port, secret, text, url } from "./config-values.ts";
export {
  createLogger,
  type Logger,
  defineService,
  type RunningService,
  type ServiceDefinition,
  type ServiceDeps,
  startService,
} from "./define-service.ts";
export { modelAddress, type ModelTarget, modelUrl } from "./model-address.ts";
export {
  modelConfig,
  ModelPrices,
  type ModelSettings,
  modelSettings,
  sharedModelServer,
} from "./model-config.ts";
export { ConfigError, describeConfig, type Environment, readConfig, type Setting } from "./read-config.ts";
export { runService } from "./run-service.ts";
export { VERSION } from "./version.ts";
