import type { Output } from "./console-output.ts";
import type { RunningServices } from "./start-system.ts";
import { type ServiceSpec, superviseService } from "./supervise-service.ts";

/**
 * Runs each service in its own process. The gateway stops last: until then, the others send it their traces, and clients see the
 * outcome of running work.
 *
 * @param options.gateway - The name of the service whose URL is the system's.
 */
export function superviseServices({
  specs,
  gateway,
  env,
  output,
}: {
  specs: readonly ServiceSpec[];
  gateway: string;
  env: NodeJS.ProcessEnv;
  output: Output;
}): RunningServices {
  const services = specs.map((spec) => ({ spec, service: superviseService({ spec, env, output }) }));
  const urls = Promise.all(services.map(async ({ spec, service }) => ({ spec, url: await service.ready })));
  return {
    ready: urls.then((all) => all.find(({ spec }) => spec.name === gateway)?.url),
    failed: Promise.race(services.map(({ service }) => service.failed)),
    kill() {
      for (const { service } of services) service.kill();
    },
    async [Symbol.asyncDispose]() {
      const stop = (some: typeof services) =>
        Promise.all(some.map(({ service }) => service[Symbol.asyncDispose]()));
      await stop(services.filter(({ spec }) => spec.name !== gateway));
      await stop(services.filter(({ spec }) => spec.name === gateway));
    },
  };
}
