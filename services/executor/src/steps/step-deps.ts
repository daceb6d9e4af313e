import type { Agents } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { Bus, Publish, RestoredLog } from "@planwright/shared/bus";
import type { QueueStops } from "@planwright/shared/jobs";
import type { ModelClient } from "@planwright/shared/model";
import type { Logger } from "@planwright/shared/service";
import type { Telemetry } from "@planwright/shared/telemetry";
import type { LightTools } from "../agents/light-tools.ts";
import type { Toolbox } from "../tools/create-toolbox.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { SourceFiles } from "../sources/source-files.ts";

export type StepDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly toolbox: Toolbox;
  /** Returns the current types. */
  readonly agentTypes: () => Agents["types"];
  readonly model: ModelClient;
  readonly artifacts: ArtifactStore;
  readonly secrets: Secrets;
  readonly sources: SourceFiles;
  readonly stops: QueueStops;
  readonly lightTools: Pick<LightTools, "withdraw">;
  /** Where the log continues after it was restored from a backup; absent when it never was. */
  readonly restored?: RestoredLog | undefined;
  readonly telemetry: Telemetry;
  readonly workerId: string;
  /** How long a unit can start steps, and one of its steps can take, in milliseconds; default 50. */
  readonly unitMs?: number;
  readonly log: Logger;
  readonly now: () => Date;
};
