import { type RunningService, type ServiceDefinition, startService } from "@planwright/shared/service";
import { withLogin } from "../credentials/login-of.ts";
import type { Output } from "./console-output.ts";
import type { RunningServices } from "./start-system.ts";

const EXIT_KILLED = 130;

/**
 * Runs services inside this process. This saves memory, but loses the isolation of separate processes: a service that
 * ends stops the system. As with processes, the gateway stops last.
 *
 * @param options.gateway - The name of the service whose URL is the system's.
 */
export function runInProcess({
  load,
  gateway,
  env,
  output,
}: {
  load: () => Promise<readonly ServiceDefinition[]>;
  gateway: string;
  env: NodeJS.ProcessEnv;
  output: Output;
}): RunningServices {
  const gatewayGroup = startGroup();
  const otherGroup = startGroup();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // Not awaiting it must not count as an unhandled rejection.

  const start = async (definition: ServiceDefinition): Promise<RunningService> => {
    const { name } = definition;
    const group = name === gateway ? gatewayGroup : otherGroup;
    const destination = { write: (line: string) => output.line(name, line.trimEnd()) };
    const service = group.use(
      await startService(definition, { env: withLogin(env, name), signal: group.signal, destination }),
    );
    service.finished.then(
      () => failed.reject(new Error(`${name} ended unexpectedly`)),
      (cause: unknown) => failed.reject(new Error(`${name} failed`, { cause })),
    );
    return service;
  };
  const started = load().then((definitions) =>
    Promise.allSettled(
      definitions.map(async (definition) => ({ definition, service: await start(definition) })),
    ),
  );
  const ready = started.then((all) => {
    const services = all.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
    return services.find(({ definition }) => definition.name === gateway)?.service.url;
  });
  ready.catch(() => undefined);

  return {
    ready,
    failed: failed.promise,
    kill: () => process.exit(EXIT_KILLED),
    async [Symbol.asyncDispose]() {
      otherGroup.abort();
      await started.catch(() => undefined); // `ready` has reported it.
      try {
        await otherGroup[Symbol.asyncDispose]();
      } finally {
        await gatewayGroup[Symbol.asyncDispose]();
      }
    },
  };
}

/** Services that stop together. */
function startGroup() {
  const stopping = new AbortController();
  const services = new AsyncDisposableStack();
  const abort = () => stopping.abort(new DOMException("the system is stopping", "AbortError"));
  return {
    signal: stopping.signal,
    use: <Service extends AsyncDisposable>(service: Service): Service => services.use(service),
    abort,
    async [Symbol.asyncDispose]() {
      abort();
      await services.disposeAsync();
    },
  };
}
