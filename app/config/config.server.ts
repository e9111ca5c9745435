import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { credentialsOf, fileStoreErrors, fileStoreFields, fileStoreOf } from "./file-store-settings.server";
import { ediErrors, ediFields, ediOf } from "./edi-settings.server";
import {
  ANYWHERE,
  cidrListOrAny,
  email,
  folder,
  type Given,
  isInClear,
  isMadeUp,
  optional,
  origin,
  proxyList,
  readableFile,
  requiredWith,
  secret,
  together,
  whole,
  withDefault,
  withoutBlanks,
} from "./setting-fields.server";
import {
  identityProviderErrors,
  identityProviderFields,
  signInSettingsOf,
  secondFactorFields,
  secondFactorOf,
} from "./sign-in-settings.server";
import { netsShareErrors, netsShareFields, netsShareOf } from "./nets-share-settings.server";
import { transportErrors, transportFields, transportOf } from "./transport-settings.server";
import { SMS_SENDER } from "~/text/sms";
import { imageArchiveFields, imageArchiveOf } from "./image-archive-settings.server";

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
  BOUNCE_ADDRESS: optional(email.refine((value) => !value.includes("+"), "must be an address without a +")),
  BOUNCE_DIR: optional(folder),
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

export type Config = ReturnType<typeof loadConfig>;

export class ConfigError extends Error {}

/**
 * Reads the configuration and reports every error at once. `env` is passed whole, because the build replaces
 * `process.env.NODE_ENV` by a constant. Throws `ConfigError`.
 */
export function loadConfig(env: Given) {
  const parsed = environment.safeParse(env);
  const errors = parsed.success ? [] : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  const given = withoutBlanks(env);
  if (env.NODE_ENV === "production") errors.push(...productionErrors(given), ...transportErrors(given));
  if (given.METRICS_PORT && given.METRICS_PORT === (given.PORT ?? "3000"))
    errors.push("METRICS_PORT: must be another port than PORT");
  errors.push(
    ...requiredWith(given, "CPR_URL", "CPR_CUSTOMER", "CPR_USER", "CPR_PASSWORD"),
    ...requiredWith(given, "SMS_WEBHOOK_SECRET", "SMS_TOKEN"),
    ...together(given, "BOUNCE_ADDRESS", "BOUNCE_DIR"),
    ...identityProviderErrors(given),
    ...netsShareErrors(given),
    ...ediErrors(given),
    ...fileStoreErrors(given),
    ...together(given, "TLS_CERT_FILE", "TLS_KEY_FILE"),
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
    databaseUrl: e.DATABASE_URL,
    /** Database user to whom `migrate` grants what serving needs, as `name` or `name@host`; null grants nobody. */
    databaseServingUser: e.DATABASE_SERVING_USER ?? null,
    sqliteSync: e.SQLITE_SYNC,
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
    /** Each mail gets an address of its own: `bounce+<number>-<check>@…`. */
    bounces:
      e.BOUNCE_ADDRESS === undefined || e.BOUNCE_DIR === undefined
        ? null
        : { address: e.BOUNCE_ADDRESS, folder: path.resolve(e.BOUNCE_DIR) },
    /** GatewayAPI. Without `token` no SMS is sent; without `webhookSecret` no receipts are accepted. */
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
    /** CPR Direkte; without `url` only test persons are known. */
    personRegister: {
      url: e.CPR_URL ?? null,
      customer: e.CPR_CUSTOMER ?? null,
      user: e.CPR_USER ?? null,
      password: e.CPR_PASSWORD ?? null,
      caFile: e.CPR_CA_FILE ?? null,
    },
    /** MotorAPI; without `token` no plate is looked up. */
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

function productionErrors(given: Given): string[] {
  const errors = ["APP_SECRET", "ADMIN_ORIGIN", "PUBLIC_ORIGIN"]
    .filter((name) => !given[name])
    .map((name) => `${name}: is required in production`);
  if (!given.ADMIN_IP_ALLOW)
    errors.push(
      "ADMIN_IP_ALLOW: is required in production: the addresses of the clinic's network, or `any` when the staff host shall be open to everybody",
    );
  if (!given.PARKING_IP_ALLOW)
    errors.push(
      "PARKING_IP_ALLOW: is required in production: the addresses that may book parking, or `any` when everybody may",
    );
  for (const name of ["APP_SECRET", "SMS_WEBHOOK_SECRET", "METRICS_TOKEN"])
    if (secret.safeParse(given[name]).success && isMadeUp(given[name]!))
      errors.push(`${name}: must be random, not words or a run of letters: \`openssl rand -base64 48\` makes one`);
  const origins = ["ADMIN_ORIGIN", "PUBLIC_ORIGIN"].filter((name) => URL.canParse(given[name] ?? ""));
  for (const name of origins)
    if (isInClear(new URL(given[name]!).origin)) errors.push(`${name}: must begin with https:// in production`);
  const [staff, open] = origins.map((name) => new URL(given[name]!).host);
  if (staff !== undefined && staff === open)
    errors.push("PUBLIC_ORIGIN: must be another host than ADMIN_ORIGIN in production");
  return errors;
}
