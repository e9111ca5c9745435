import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { credentialsOf, fileStoreErrors, fileStoreFields, fileStoreOf } from "./file-store-settings.server";
import { ediErrors, ediFields, ediOf } from "./edi-settings.server";
import {
  ANYWHERE,
  cidrListOrAny,
  email,
  optional,
  origin,
  proxyList,
  readableFile,
  secret,
  whole,
  withDefault,
  isMadeUp,
} from "./setting-fields.server";
import {
  identityProviderErrors,
  identityProviderFields,
  type SignInSettings,
  signInSettingsOf,
  secondFactorFields,
  secondFactorOf,
  type SecondFactorRules,
} from "./sign-in-settings.server";
import { netsShareErrors, netsShareFields, netsShareOf } from "./nets-share-settings.server";
import {
  serverTlsErrors,
  transportErrors,
  transportFields,
  transportOf,
  type TransportSettings,
} from "./transport-settings.server";
import { SMS_SENDER } from "~/text/sms";
import { imageArchiveFields, imageArchiveOf } from "./image-archive-settings.server";
import type { FileStoreSettings, S3Settings } from "~/gateways/file-store/port";
import type { EdiSettings } from "~/gateways/edi/port";
import type { ImageArchiveSettings } from "~/gateways/image-archive/port";
import type { NetsShareSettings } from "~/gateways/nets-share/port";

const databaseFields = {
  DATABASE_URL: withDefault(
    z.union([z.literal(""), z.string().regex(/^mysql:\/\//, "must be empty (SQLite) or mysql://…")]),
    "",
  ),
  DATABASE_SERVING_USER: optional(
    z
      .string()
      .regex(/^[\w.-]{1,80}(@[\w.:%-]{1,60})?$/, "must be a user of the database, such as portal or portal@10.0.0.%"),
  ),
  SQLITE_SYNC: withDefault(z.enum(["full", "normal"], "must be full or normal"), "full"),
};

interface DatabaseSettings {
  databaseUrl: string;
  /** Database user to whom `migrate` grants what serving needs, as `name` or `name@host`; null grants nobody. */
  databaseServingUser: string | null;
  sqliteSync: "full" | "normal";
}

const databaseOf = (e: z.output<z.ZodObject<typeof databaseFields>>): DatabaseSettings => ({
  databaseUrl: e.DATABASE_URL,
  databaseServingUser: e.DATABASE_SERVING_USER ?? null,
  sqliteSync: e.SQLITE_SYNC,
});

interface BounceSettings {
  /** Each mail gets an address of its own: `bounce+<number>-<check>@…`. */
  address: string;
  folder: string;
}

const bounceFields = {
  BOUNCE_ADDRESS: optional(email.refine((value) => !value.includes("+"), "must be an address without a +")),
  BOUNCE_DIR: optional(
    z.string().refine((value) => existsSync(value) && statSync(value).isDirectory(), "must name a folder"),
  ),
};

function bounceErrors(env: Record<string, string | undefined>): string[] {
  const has = (name: string) => Boolean(env[name]?.trim());
  if (has("BOUNCE_ADDRESS") === has("BOUNCE_DIR")) return [];
  const [missing, given] = has("BOUNCE_DIR") ? ["BOUNCE_ADDRESS", "BOUNCE_DIR"] : ["BOUNCE_DIR", "BOUNCE_ADDRESS"];
  return [`${missing}: is required with ${given}`];
}

function bouncesOf(given: z.output<z.ZodObject<typeof bounceFields>>): BounceSettings | null {
  const { BOUNCE_ADDRESS: address, BOUNCE_DIR: folder } = given;
  return address === undefined || folder === undefined ? null : { address, folder: path.resolve(folder) };
}

/** Defaults for a trial; in production the overview asks for the clinic's own. */
export const invented = {
  clinicName: "Kæbekirurgisk Klinik",
  supportEmail: "support@eksempel.dk",
  supportPhone: "70 00 00 00",
  mailFrom: "ikke-svar@eksempel.dk",
} as const;

const environment = z.object({
  NODE_ENV: withDefault(
    z.enum(["production", "development", "test"], "must be production, development or test"),
    "development",
  ),
  PORT: withDefault(whole(0, 65535), "3000"),
  HOST: withDefault(z.string(), "127.0.0.1"),
  METRICS_PORT: optional(whole(1, 65535)),
  METRICS_HOST: withDefault(z.string(), "127.0.0.1"),
  DATA_DIR: withDefault(z.string(), "./data"),
  ...fileStoreFields,
  ...transportFields,
  ...databaseFields,
  APP_SECRET: optional(secret),
  // Older secrets may predate today's rules.
  APP_SECRET_PREVIOUS: optional(z.string().min(32, "must be at least 32 characters")),
  ADMIN_ORIGIN: optional(origin),
  PUBLIC_ORIGIN: optional(origin),
  ADMIN_IP_ALLOW: withDefault(cidrListOrAny, ANYWHERE),
  PARKING_IP_ALLOW: withDefault(cidrListOrAny, ANYWHERE),
  TRUSTED_PROXIES: withDefault(proxyList, ""),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, "must be smtp://… or smtps://…")),
  MAIL_FROM: withDefault(email, invented.mailFrom),
  ...bounceFields,
  SMS_TOKEN: optional(z.string().regex(/^[\x21-\x7e]+$/, "must be a token without spaces")),
  SMS_URL: withDefault(origin, "https://messaging.gatewayapi.eu"),
  SMS_SENDER: withDefault(
    z.string().regex(SMS_SENDER, "must be 3 to 11 letters, digits or spaces, or a number"),
    "Klinikken",
  ),
  SMS_WEBHOOK_SECRET: optional(secret),
  ...netsShareFields,
  ...ediFields,
  ...imageArchiveFields,
  METRICS_TOKEN: optional(secret),
  ...secondFactorFields,
  ...identityProviderFields,
  PRODUCT_NAME: withDefault(z.string(), "Henvisningsportalen"),
  CLINIC_NAME: withDefault(z.string(), invented.clinicName),
  CLINIC_LOGO: optional(readableFile),
  SUPPORT_EMAIL: withDefault(email, invented.supportEmail),
  SUPPORT_PHONE: withDefault(z.string(), invented.supportPhone),
  REGISTER_URL: optional(z.url("must be a whole address, such as https://www.eksempel.dk")),
  PATIENT_LINK_DAYS: withDefault(whole(1, 365), "30"),
  FILE_PURGE_DAYS: withDefault(whole(1, 3650), "30"),
  CPR_URL: optional(z.string().regex(/^tls:\/\/(\[[0-9a-f:]+\]|[^\s/:@?#]+):\d{1,5}\/?$/i, "must be tls://host:port")),
  CPR_CUSTOMER: optional(z.string().regex(/^\d{4}$/, "must be four digits")),
  CPR_USER: optional(z.string().regex(/^[\x21-\x7e\xa0-\xff]{1,8}$/, "must be one to eight characters of latin1")),
  CPR_PASSWORD: optional(z.string().regex(/^[\x21-\x7e\xa0-\xff]{1,8}$/, "must be one to eight characters of latin1")),
  CPR_CA_FILE: optional(readableFile),
  MOTORAPI_TOKEN: optional(z.string().regex(/^[\x21-\x7e]+$/, "must be a token without spaces")),
  MOTORAPI_URL: withDefault(origin, "https://v1.motorapi.dk"),
  CLAMD_URL: optional(z.string().regex(/^(tcp:\/\/|unix:)/, "must be tcp://host:port or unix:/path")),
  CLAMD_MAX_MB: withDefault(whole(1, 4096), "25"),
  WORKER: withDefault(z.enum(["on", "off"], "must be on or off"), "on"),
});

export const settingNames = Object.keys(environment.shape);

export interface Config extends TransportSettings, DatabaseSettings {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  fileStore: FileStoreSettings;
  fileStoreCredentials: S3Settings["credentials"];
  appSecret: string;
  appSecretPrevious: string | null;
  adminOrigin: string;
  publicOrigin: string;
  adminIpAllow: string[];
  parkingIpAllow: string[];
  trustedProxies: string[];
  smtpUrl: string | null;
  mailFrom: string;
  bounces: BounceSettings | null;
  /** GatewayAPI. Without `token` no SMS is sent; without `webhookSecret` no receipts are accepted. */
  sms: { url: string; token: string | null; sender: string; webhookSecret: string | null };
  netsShare: NetsShareSettings | null;
  edi: EdiSettings | null;
  imageArchive: ImageArchiveSettings | null;
  observation: { port: number; host: string } | null;
  metricsToken: string | null;
  secondFactor: SecondFactorRules;
  signIn: SignInSettings;
  productName: string;
  clinicName: string;
  clinicLogo: string | null;
  supportEmail: string;
  supportPhone: string;
  registerUrl: string | null;
  patientLinkDays: number;
  filePurgeDays: number;
  /** CPR Direkte; without `url` only test persons are known. */
  personRegister: {
    url: string | null;
    customer: string | null;
    user: string | null;
    password: string | null;
    caFile: string | null;
  };
  /** MotorAPI; without `token` no plate is looked up. */
  vehicleRegister: { url: string; token: string | null };
  clamdUrl: string | null;
  clamdMaxMegabytes: number;
  runWorker: boolean;
}

export class ConfigError extends Error {}

/**
 * Reads the configuration and reports every error at once. `env` is passed whole, because the build replaces
 * `process.env.NODE_ENV` by a constant. Throws `ConfigError`.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(env);
  const errors = parsed.success ? [] : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  if (env.NODE_ENV === "production") errors.push(...productionErrors(env), ...transportErrors(env));
  if (env.CPR_URL?.trim()) {
    for (const name of ["CPR_CUSTOMER", "CPR_USER", "CPR_PASSWORD"]) {
      if (!env[name]?.trim()) errors.push(`${name}: is required with CPR_URL`);
    }
  }
  if (env.SMS_WEBHOOK_SECRET?.trim() && !env.SMS_TOKEN?.trim())
    errors.push("SMS_TOKEN: is required with SMS_WEBHOOK_SECRET");
  if (env.METRICS_PORT?.trim() && env.METRICS_PORT.trim() === (env.PORT?.trim() || "3000"))
    errors.push("METRICS_PORT: must be another port than PORT");
  errors.push(
    ...bounceErrors(env),
    ...identityProviderErrors(env),
    ...netsShareErrors(env),
    ...ediErrors(env),
    ...fileStoreErrors(env),
    ...serverTlsErrors(env),
  );
  if (!parsed.success || errors.length > 0) throw new ConfigError(errors.join("\n"));
  const e = parsed.data;
  const local = `http://localhost:${e.PORT}`;
  return {
    production: e.NODE_ENV === "production",
    port: e.PORT,
    host: e.HOST,
    dataDir: path.resolve(e.DATA_DIR),
    fileStore: fileStoreOf(e, path.resolve(e.DATA_DIR)),
    fileStoreCredentials: credentialsOf(e),
    ...databaseOf(e),
    ...transportOf(e),
    appSecret: e.APP_SECRET ?? storedSecret(path.resolve(e.DATA_DIR), e.DATABASE_URL === ""),
    appSecretPrevious: e.APP_SECRET_PREVIOUS ?? null,
    adminOrigin: e.ADMIN_ORIGIN ?? local,
    publicOrigin: e.PUBLIC_ORIGIN ?? local,
    adminIpAllow: e.ADMIN_IP_ALLOW,
    parkingIpAllow: e.PARKING_IP_ALLOW,
    trustedProxies: e.TRUSTED_PROXIES,
    smtpUrl: e.SMTP_URL ?? null,
    mailFrom: e.MAIL_FROM,
    bounces: bouncesOf(e),
    sms: {
      url: e.SMS_URL,
      token: e.SMS_TOKEN ?? null,
      sender: e.SMS_SENDER,
      webhookSecret: e.SMS_WEBHOOK_SECRET ?? null,
    },
    netsShare: netsShareOf(e, e.CLINIC_NAME),
    edi: ediOf(e),
    imageArchive: imageArchiveOf(e),
    observation: e.METRICS_PORT === undefined ? null : { port: e.METRICS_PORT, host: e.METRICS_HOST },
    metricsToken: e.METRICS_TOKEN ?? null,
    secondFactor: secondFactorOf(e, e.NODE_ENV === "production"),
    signIn: signInSettingsOf(e),
    productName: e.PRODUCT_NAME,
    clinicName: e.CLINIC_NAME,
    clinicLogo: e.CLINIC_LOGO ?? null,
    supportEmail: e.SUPPORT_EMAIL,
    supportPhone: e.SUPPORT_PHONE,
    registerUrl: e.REGISTER_URL ?? null,
    patientLinkDays: e.PATIENT_LINK_DAYS,
    filePurgeDays: e.FILE_PURGE_DAYS,
    personRegister: {
      url: e.CPR_URL ?? null,
      customer: e.CPR_CUSTOMER ?? null,
      user: e.CPR_USER ?? null,
      password: e.CPR_PASSWORD ?? null,
      caFile: e.CPR_CA_FILE ?? null,
    },
    vehicleRegister: { url: e.MOTORAPI_URL, token: e.MOTORAPI_TOKEN ?? null },
    clamdUrl: e.CLAMD_URL ?? null,
    clamdMaxMegabytes: e.CLAMD_MAX_MB,
    runWorker: e.WORKER === "on",
  };
}

/** Outside production a secret is created with the database and kept beside the data it encrypts. */
function storedSecret(dataDir: string, isSqlite: boolean): string {
  const file = path.join(dataDir, "app-secret");
  const hasDatabase = isSqlite && existsSync(path.join(dataDir, "portal.db"));
  if (hasDatabase && !existsSync(file))
    throw new ConfigError(`APP_SECRET: is needed: ${dataDir} holds a database, but no app-secret to read it with`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // `wx` lets one of two processes that start together win; the other reads the winner's file.
    writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const stored = secret.safeParse(readFileSync(file, "utf8").trim());
  if (!stored.success) throw new ConfigError(`APP_SECRET: ${file} holds no whole secret`);
  return stored.data;
}

const ON_THIS_MACHINE = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

function productionErrors(env: Record<string, string | undefined>): string[] {
  const given = (name: string) => env[name]?.trim() ?? "";
  const errors = ["APP_SECRET", "ADMIN_ORIGIN", "PUBLIC_ORIGIN"]
    .filter((name) => given(name) === "")
    .map((name) => `${name}: is required in production`);
  if (given("ADMIN_IP_ALLOW") === "")
    errors.push(
      "ADMIN_IP_ALLOW: is required in production: the addresses of the clinic's network, or `any` when the staff host shall be open to everybody",
    );
  if (given("PARKING_IP_ALLOW") === "")
    errors.push(
      "PARKING_IP_ALLOW: is required in production: the addresses that may book parking, or `any` when everybody may",
    );
  for (const name of ["APP_SECRET", "SMS_WEBHOOK_SECRET", "METRICS_TOKEN"])
    if (secret.safeParse(given(name)).success && isMadeUp(given(name)))
      errors.push(`${name}: must be random, not words or a run of letters: \`openssl rand -base64 48\` makes one`);
  const origins = ["ADMIN_ORIGIN", "PUBLIC_ORIGIN"].filter((name) => URL.canParse(given(name)));
  for (const name of origins) {
    const { protocol, origin: own } = new URL(given(name));
    if (protocol === "http:" && !ON_THIS_MACHINE.test(own))
      errors.push(`${name}: must begin with https:// in production`);
  }
  const [staff, open] = origins.map((name) => new URL(given(name)).host);
  if (staff !== undefined && staff === open)
    errors.push("PUBLIC_ORIGIN: must be another host than ADMIN_ORIGIN in production");
  return errors;
}
