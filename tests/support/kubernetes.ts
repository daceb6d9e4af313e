/** The manifests that Helm rendered, and what the schemas of Kubernetes and KEDA say of them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describeError } from "@planwright/shared/errors";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

export const ROOT = path.resolve(import.meta.dirname, "../..");

const Labels = z.record(z.string(), z.string());
const Probe = z.looseObject({
  exec: z.object({ command: z.array(z.string()) }).optional(),
  httpGet: z.object({ path: z.string(), port: z.string() }).optional(),
});
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  envFrom: z
    .array(z.object({ secretRef: z.object({ name: z.string(), optional: z.boolean() }) }))
    .default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.int() }) }) }).optional(),
  startupProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  securityContext: z.looseObject({}),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
});
const PodTemplate = z.object({
  metadata: z.object({ labels: Labels }),
  spec: z.looseObject({
    terminationGracePeriodSeconds: z.int().default(30),
    automountServiceAccountToken: z.boolean(),
    serviceAccountName: z.string(),
    hostUsers: z.boolean().optional(),
    securityContext: z.looseObject({}),
    containers: z.tuple([Container]),
    volumes: z.array(
      z.looseObject({ name: z.string(), secret: z.looseObject({ secretName: z.string() }).optional() }),
    ),
  }),
});
export type Pod = z.infer<typeof PodTemplate>;

export const Deployment = z.object({
  kind: z.literal("Deployment"),
  metadata: z.object({ name: z.string() }),
  spec: z.looseObject({
    replicas: z.int().optional(),
    selector: z.object({ matchLabels: Labels }),
    template: PodTemplate,
  }),
});
export const Job = z.object({
  kind: z.literal("Job"),
  metadata: z.object({ name: z.string(), annotations: Labels.default({}) }),
  spec: z.looseObject({ template: PodTemplate }),
});
export const NetworkPolicy = z.object({
  kind: z.literal("NetworkPolicy"),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    podSelector: z.object({ matchLabels: Labels }),
    policyTypes: z.array(z.enum(["Ingress", "Egress"])),
    ingress: z.array(z.looseObject({ from: z.array(z.looseObject({})) })).optional(),
    egress: z.array(z.looseObject({})).optional(),
  }),
});
export const ScaledObject = z.object({
  kind: z.literal("ScaledObject"),
  spec: z.looseObject({
    scaleTargetRef: z.object({ name: z.string() }),
    minReplicaCount: z.int(),
    maxReplicaCount: z.int(),
    triggers: z.tuple([z.looseObject({ type: z.string(), metadata: Labels })]),
  }),
});
export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type Manifest = z.infer<typeof Manifest>;

export function readYaml(file: string): unknown {
  const [document] = parseAllDocuments(readFileSync(path.join(ROOT, file), "utf8"));
  return document?.toJS();
}

export function readManifests(file: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(path.join(ROOT, file), "utf8"));
  return documents.map((document) => Manifest.parse(document.toJS()));
}

/** Those of one kind. */
export function ofKind<Schema extends z.ZodObject<{ kind: z.ZodLiteral<string> }>>(
  schema: Schema,
  manifests: readonly Manifest[],
): z.output<Schema>[] {
  const { value } = schema.shape.kind;
  return manifests.filter(({ kind }) => kind === value).map((manifest) => schema.parse(manifest));
}

/**
 * What the API server would refuse of a manifest: values that its schema refuses, and fields that the schema does not have.
 *
 * The schemas are compiled validators, which read every field that they know: a field that was not read is unknown.
 */
export async function schemaFaults(manifest: Manifest): Promise<string[]> {
  const Model = await modelOf(manifest);
  const read = new Set<string>();
  try {
    // Not `new Model(manifest)`: that copies the manifest, and so reads all of it.
    Model.prototype.validate.call(recordReads(manifest, "", read));
  } catch (error) {
    return [describeError(error)];
  }
  return [...fieldsOf(manifest, "")]
    .filter((field) => !read.has(field))
    .map((field) => `unknown field ${field}`);
}

type ModelClass = { readonly prototype: { validate(this: unknown): void } };
const Models = z.record(
  z.string(),
  z.custom<ModelClass>((value) => typeof value === "function"),
);

async function modelOf({ apiVersion, kind }: Manifest): Promise<ModelClass> {
  const group = apiVersion.startsWith("keda.sh/") ? "@kubernetes-models/keda" : "kubernetes-models";
  const model = Models.parse({ ...(await import(`${group}/${apiVersion}`)) })[kind];
  if (model === undefined) throw new Error(`${apiVersion} has no ${kind}`);
  return model;
}

function recordReads(value: unknown, at: string, read: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const child: unknown = Reflect.get(target, key);
      if (typeof key !== "string" || !Object.hasOwn(target, key)) return child;
      read.add(`${at}/${key}`);
      return recordReads(child, `${at}/${key}`, read);
    },
  });
}

function* fieldsOf(value: unknown, at: string): Iterable<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    yield `${at}/${key}`;
    yield* fieldsOf(child, `${at}/${key}`);
  }
}
