export { type EffectCounter, type EffectTarget, startEffectCounter } from "./effects/start-effect-counter.ts";
export { grammarFaults } from "./model/grammar-faults.ts";
export {
  strictSchemaFaults,
  type ModelScript,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "./model/start-scripted-model.ts";
export { echo, wait, write } from "@planwright/plan/testing";
export {
  findingsText,
  judgementText,
  planPieces,
  planText,
  type ScriptedPlan,
  type ScriptedStep,
} from "./model/scripted-plan.ts";
export { startNats, type TestNats, type TestNatsOptions } from "./nats/start-nats.ts";
export { type NatsCluster, startNatsCluster } from "./nats/start-nats-cluster.ts";
export { addStaleReplica } from "./nats/stale-replica.ts";
export { noteStart } from "./run/test-run.ts";
export { createClient, type SeenEvent, type SystemClient } from "./system/client.ts";
export { SERVICE_NAMES, type ServiceName } from "./system/service-names.ts";
export { type ServiceProcess, startServiceProcess } from "./system/start-service-process.ts";
export { lendStage, type Stage } from "./system/lend-system.ts";
export { startSystem, type TestSystem } from "./system/start-system.ts";
export type { RestoreOptions, ServiceEnvironments } from "./system/system-services.ts";
export { type Example, listExamples, loadExample } from "./examples/load-example.ts";
export { type ExampleServer, startExampleServer } from "./examples/start-example-server.ts";
export { seedExample, startExample } from "./examples/start-example.ts";
export { type ReceivedSpan, startOtlpReceiver } from "./telemetry/otlp-receiver.ts";
export { finishedPlan } from "./bus/finished-plan.ts";
export { newerFacts } from "./bus/newer-facts.ts";
export { openPlanLog } from "./bus/open-plan-log.ts";
export { createCarefulClient } from "./system/careful-client.ts";
export { brokenPromises } from "./faults/broken-promises.ts";
export { startTcpProxy } from "./faults/start-tcp-proxy.ts";
export { type SeededRandom, seededRandom } from "./faults/seeded-random.ts";
export {
  createPlanFlow,
  faultsOf,
  FLOW_SCRIPT,
  type FlowedPlan,
  startFlowModel,
} from "./faults/plan-flow.ts";
export {
  type FaultySystem,
  faultySystemOn,
  startFaultySystem,
  startFlowSurroundings,
} from "./faults/start-faulty-system.ts";
export { startFlakyServer } from "./faults/start-flaky-server.ts";
export {
  newKey,
  startIdentityProvider,
  type TestIdentityProvider,
  type TestUser,
} from "./identity/start-identity-provider.ts";
