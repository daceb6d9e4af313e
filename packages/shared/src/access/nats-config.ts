/** The settings for the address of NATS and the login. */
import { z } from "zod";
import { oneOf, secret, text, urls } from "../service/config-values.ts";

const FILE = { wanted: "a file" } as const;

/** Part of the settings of everything that connects to NATS; {@link natsAccess} reads the result. */
export const natsConfig = {
  NATS_URL: urls({ schemes: ["nats", "tls"] })
    .default("nats://127.0.0.1:4222")
    .meta({
      description:
        "The NATS servers (2.14 or newer, with JetStream), separated by commas. With `tls://`, connections without TLS are refused.",
    }),
  NATS_CREDS: text(FILE).optional().meta({
    description: "Credentials file (`.creds`) to log in with: a JWT and the seed of its nkey.",
  }),
  NATS_USER: text({ wanted: "a user name" })
    .optional()
    .meta({ description: "User name to log in with. Set NATS_PASSWORD too." }),
  NATS_PASSWORD: secret({ wanted: "a password" })
    .optional()
    .meta({ description: "The password of NATS_USER." }),
  NATS_TOKEN: secret({ wanted: "a token" }).optional().meta({ description: "Token to log in with." }),
  NATS_NKEY_SEED: secret({ wanted: "a seed that starts with SU, or a file that holds one" }).optional().meta({
    description:
      "Nkey to log in with: its seed, or a file that contains the seed. `npm start` sets it for each service (docs/security.md).",
  }),
  NATS_TLS_CA: text(FILE).optional().meta({
    description: "CA certificates (PEM) to verify the servers with, instead of the public CAs.",
  }),
  NATS_TLS_CERT: text(FILE).optional().meta({
    description: "Client certificate (PEM), for servers that verify clients.",
  }),
  NATS_TLS_KEY: text(FILE).optional().meta({ description: "The private key of NATS_TLS_CERT (PEM)." }),
} as const;

/** Settings of the processes that create the streams, besides {@link natsConfig}. */
export const replicasConfig = {
  NATS_REPLICAS: oneOf(["1", "3", "5"])
    .transform((value): 1 | 3 | 5 => (value === "1" ? 1 : value === "3" ? 3 : 5))
    .optional()
    .meta({
      description:
        "Number of servers in a NATS cluster that store each message: 1, 3 or 5. Applies to every stream, bucket and queue, including existing ones. If unset, new ones have 1 and existing ones keep their number.",
    }),
} as const;

const NatsConfig = z.object(natsConfig);
export type NatsConfig = z.output<typeof NatsConfig>;

/** The names of all settings above, for code that passes them on or omits them. */
export const NATS_SETTINGS = Object.keys(natsConfig) as readonly (keyof NatsConfig)[];
