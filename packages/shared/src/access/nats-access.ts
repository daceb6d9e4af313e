/** The address of NATS and the login of a process, read from its settings. */
import { sign, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeys,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { z } from "zod";
import { describeError, PermanentError } from "../errors.ts";
import type { NatsConfig } from "./nats-config.ts";

const NatsLogin = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("creds"), file: z.string() }),
  z.object({ kind: z.literal("password"), user: z.string(), password: z.string() }),
  z.object({ kind: z.literal("token"), token: z.string() }),
  /** A seed, or a file that contains one. */
  z.object({ kind: z.literal("nkey"), seed: z.string() }),
]);
export type NatsLogin = z.infer<typeof NatsLogin>;

const File = z.string().exactOptional();

/** Plain data, so that it can be sent to a thread. */
export const NatsAccess = z.object({
  /** One URL or several, separated by commas. A user and password in one of them are the login unless `login` is set. */
  url: z.string(),
  login: NatsLogin.exactOptional(),
  /** All PEM files. */
  tls: z.object({ ca: File, cert: File, key: File }).exactOptional(),
});
export type NatsAccess = z.infer<typeof NatsAccess>;
export type NatsTls = NonNullable<NatsAccess["tls"]>;

/** The settings of each login, as errors name them. */
export const LOGIN_SETTINGS: Readonly<Record<NatsLogin["kind"], string>> = {
  creds: "NATS_CREDS",
  password: "NATS_USER and NATS_PASSWORD",
  token: "NATS_TOKEN",
  nkey: "NATS_NKEY_SEED",
};

/** @throws {PermanentError} `nats_settings` when the settings contradict each other. */
export function natsAccess(config: Partial<NatsConfig> & Pick<NatsConfig, "NATS_URL">): NatsAccess {
  const { NATS_URL: url, NATS_CREDS, NATS_USER, NATS_PASSWORD, NATS_TOKEN, NATS_NKEY_SEED } = config;
  const { NATS_TLS_CA: ca, NATS_TLS_CERT: cert, NATS_TLS_KEY: key } = config;
  if ((NATS_USER === undefined) !== (NATS_PASSWORD === undefined)) {
    throw refused("NATS_USER and NATS_PASSWORD belong together: set both, or neither");
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw refused("NATS_TLS_CERT and NATS_TLS_KEY belong together: set both, or neither");
  }
  const logins: NatsLogin[] = [];
  if (NATS_CREDS !== undefined) logins.push({ kind: "creds", file: NATS_CREDS });
  if (NATS_USER !== undefined && NATS_PASSWORD !== undefined) {
    logins.push({ kind: "password", user: NATS_USER, password: NATS_PASSWORD });
  }
  if (NATS_TOKEN !== undefined) logins.push({ kind: "token", token: NATS_TOKEN });
  if (NATS_NKEY_SEED !== undefined) logins.push({ kind: "nkey", seed: NATS_NKEY_SEED });
  if (logins.length > 1) {
    const names = logins.map(({ kind }) => LOGIN_SETTINGS[kind]).join(", ");
    throw refused(`wanted one NATS login, got ${logins.length} (${names}): unset all but one`);
  }
  const [login] = logins;
  const tls = Object.fromEntries(Object.entries({ ca, cert, key }).filter(([, file]) => file !== undefined));
  return {
    url,
    ...(login === undefined ? {} : { login }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}

function refused(message: string): PermanentError {
  return new PermanentError(message, { code: "nats_settings" });
}

export type ConnectionAccess = Pick<ConnectionOptions, "authenticator" | "inboxPrefix" | "tls"> & {
  readonly servers: string[];
  readonly login: NatsLogin | undefined;
};

/**
 * Returns the connection options for the client library. Files are read now and again before each reconnection, since a
 * credential may be replaced while the process runs.
 *
 * Each login has its own inbox prefix, so that an allow-list can keep replies from other users:
 * `_INBOX.<public nkey>` or `_INBOX.<user>`.
 *
 * @throws {PermanentError} `nats_settings` when a file cannot be read or holds no credential.
 */
export function connectionAccess({ url, login: given, tls }: NatsAccess): ConnectionAccess {
  const parsed = url.split(",").map((server) => parseServer(server.trim()));
  const login = given ?? parsed.find((server) => server.login !== undefined)?.login;
  const wantsTls = tls !== undefined || parsed.some(({ secure }) => secure);
  return {
    servers: parsed.map(({ server }) => server),
    login,
    ...(wantsTls ? { tls: tlsFiles(tls ?? {}) } : {}),
    ...(login === undefined ? {} : authenticate(login)),
  };
}

type ParsedServer = { readonly server: string; readonly secure: boolean; readonly login?: NatsLogin };

function parseServer(text: string): ParsedServer {
  const url = new URL(text.includes("://") ? text : `nats://${text}`);
  const server = url.port === "" ? `${url.hostname}:4222` : url.host;
  const secure = url.protocol === "tls:";
  if (url.username === "") return { server, secure };
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const login: NatsLogin =
    password === "" ? { kind: "token", token: user } : { kind: "password", user, password };
  return { server, secure, login };
}

function tlsFiles({ ca, cert, key }: NatsTls): { ca?: string; cert?: string; key?: string } {
  return {
    ...(ca === undefined ? {} : { ca: readText(ca, "NATS_TLS_CA") }),
    ...(cert === undefined ? {} : { cert: readText(cert, "NATS_TLS_CERT") }),
    ...(key === undefined ? {} : { key: readText(key, "NATS_TLS_KEY") }),
  };
}

function authenticate(login: NatsLogin): { authenticator: Authenticator; inboxPrefix?: string } {
  switch (login.kind) {
    case "token":
      return { authenticator: tokenAuthenticator(login.token) };
    case "password": {
      const authenticator = usernamePasswordAuthenticator(login.user, login.password);
      return /^[\w-]+$/.test(login.user)
        ? { authenticator, inboxPrefix: `_INBOX.${login.user}` }
        : { authenticator };
    }
    case "nkey": {
      const read = rereading(() => pairOf(login.seed));
      return { authenticator: (nonce) => answerTo(nonce, read()), inboxPrefix: inboxOf(read().publicKey) };
    }
    case "creds": {
      const read = rereading(() => Buffer.from(readText(login.file, "NATS_CREDS")));
      const authenticator = credsAuthenticator(read);
      return { authenticator, inboxPrefix: inboxOf(subjectOfCreds(login.file, read())) };
    }
    default:
      login satisfies never;
      throw new TypeError("unknown login");
  }
}

/** Returns the inbox prefix of the user that logs in with this nkey. */
export function inboxOf(publicKey: string): string {
  return `_INBOX.${publicKey}`;
}

/** If a file is missing or being replaced, its last content is used, so that the connection survives. */
function rereading<T>(read: () => T): () => T {
  let last = read();
  return () => {
    try {
      last = read();
    } catch {
      // The server decides whether it is still valid.
    }
    return last;
  };
}

/** The last key pair of this process, which logs in with the same seed before each reconnection. */
let lastPair: NkeyPair | undefined;

function pairOf(seedOrFile: string): NkeyPair {
  const text = seedOrFile.startsWith("SU") ? seedOrFile : readText(seedOrFile, "NATS_NKEY_SEED");
  const seed = text.trim();
  if (lastPair?.seed !== seed) lastPair = createPair(seed);
  return lastPair;
}

function createPair(seed: string): NkeyPair {
  try {
    return nkeyPair(seed);
  } catch (cause) {
    throw new PermanentError("NATS_NKEY_SEED: wanted a seed that starts with SU, or a file that holds one", {
      code: "nats_settings",
      cause,
    });
  }
}

/** Replaces the library's authenticator, whose JavaScript signature adds about 50 ms to a process start. */
function answerTo(
  nonce: string | undefined,
  { publicKey, privateKey }: NkeyPair,
): { nkey: string; sig: string } {
  return {
    nkey: publicKey,
    sig: nonce === undefined ? "" : nkeys.encode(sign(null, Buffer.from(nonce), privateKey)),
  };
}

const Claims = z.object({ sub: z.string().regex(/^\w+$/) });

function subjectOfCreds(file: string, creds: Uint8Array): string {
  const jwt = /-----BEGIN NATS USER JWT-----\s*(\S+)\s*-{3,}END/.exec(Buffer.from(creds).toString())?.[1];
  try {
    const claims = Buffer.from(jwt?.split(".")[1] ?? "", "base64url").toString();
    return Claims.parse(JSON.parse(claims)).sub;
  } catch (cause) {
    throw new PermanentError(`NATS_CREDS: ${file} is not a credentials file: it contains no user JWT`, {
      code: "nats_settings",
      cause,
    });
  }
}

function readText(file: string, setting: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new PermanentError(`${setting}: ${file} cannot be read: ${describeError(cause)}`, {
      code: "nats_settings",
      cause,
    });
  }
}

/** The key pair of an nkey seed, derived by `node:crypto`: the library's JavaScript adds 30 ms to a process start. */
export type NkeyPair = { readonly seed: string; readonly publicKey: string; readonly privateKey: KeyObject };

/** RFC 4648. */
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** The PKCS #8 prefix of an Ed25519 key's 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
/** The first byte of a user's public key, which makes its first letter a U. */
const USER_PREFIX = 20 << 3;
/** For CRC-16/XMODEM, the last two bytes of an nkey, low byte first. */
const CRC_POLYNOMIAL = 0x1021;

/** @throws {Error} When the seed is not that of a user. */
export function nkeyPair(seed: string): NkeyPair {
  // The library checks the alphabet and the checksum.
  nkeys.fromSeed(Buffer.from(seed));
  if (!seed.startsWith("SU")) throw new Error("wanted the seed of a user, which starts with SU");
  // The first two bytes are the kind.
  const secret = fromBase32(seed).subarray(2, 34);
  const key = Buffer.concat([PKCS8_PREFIX, secret]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const named = Buffer.concat([Buffer.of(USER_PREFIX), Buffer.from(x, "base64url")]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(named));
  return { seed, publicKey: toBase32(Buffer.concat([named, checksum])), privateKey };
}

function fromBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** @param bytes - Their number must be a multiple of five. */
function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replaceAll(/.{5}/g, (letter) => BASE32.charAt(Number.parseInt(letter, 2)));
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1;
  }
  return crc & 0xffff;
}
