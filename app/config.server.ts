import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";

const origin = z
  .string()
  .transform((value) => value.replace(/\/$/, ""))
  .refine((value) => {
    try {
      return new URL(value).origin === value;
    } catch {
      return false;
    }
  }, "must be scheme and host, such as https://www.eksempel.dk");

const cidrList = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.string().refine(isCidr, "must be addresses or CIDR ranges, parted by commas")));

function isCidr(value: string): boolean {
  try {
    if (value.includes("/")) ipaddr.parseCIDR(value);
    else ipaddr.parse(value);
    return true;
  } catch {
    return false;
  }
}

const readableFile = z.string().refine((file) => existsSync(file), "must name a file that can be read");
const blankIsAbsent = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema.optional());
const withDefault = <T extends z.ZodType>(schema: T, value: string) =>
  z.preprocess((given) => blankIsAbsent(given) ?? value, schema);

const whole = (from: number, to: number) => {
  const text = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number(text).int(text).min(from, text).max(to, text);
};
const email = z.email("must be an e-mail address");

const environment = z.object({
  NODE_ENV: withDefault(z.enum(["production", "development", "test"], "must be production, development or test"), "development"),
  PORT: withDefault(whole(0, 65535), "3000"),
  HOST: withDefault(z.string(), "127.0.0.1"),
  DATA_DIR: withDefault(z.string(), "./data"),
  DATABASE_URL: withDefault(z.union([z.literal(""), z.string().regex(/^mysql:\/\//, "must be empty (SQLite) or mysql://…")]), ""),
  APP_SECRET: optional(z.string().min(32, "must be at least 32 characters")),
  APP_SECRET_PREVIOUS: optional(z.string().min(32, "must be at least 32 characters")),
  ADMIN_ORIGIN: optional(origin),
  PUBLIC_ORIGIN: optional(origin),
  ADMIN_IP_ALLOW: withDefault(cidrList, "0.0.0.0/0,::/0"),
  PARKING_IP_ALLOW: withDefault(cidrList, "0.0.0.0/0,::/0"),
  TRUSTED_PROXIES: withDefault(cidrList, ""),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, "must be smtp://… or smtps://…")),
  MAIL_FROM: withDefault(email, "ikke-svar@eksempel.dk"),
  PRODUCT_NAME: withDefault(z.string(), "Henvisningsportalen"),
  CLINIC_NAME: withDefault(z.string(), "Kæbekirurgisk Klinik"),
  CLINIC_LOGO: optional(readableFile),
  SUPPORT_EMAIL: withDefault(email, "support@eksempel.dk"),
  SUPPORT_PHONE: withDefault(z.string(), "70 00 00 00"),
  REGISTER_URL: optional(z.url("must be a whole address, such as https://www.eksempel.dk")),
  PATIENT_LINK_DAYS: withDefault(whole(1, 365), "30"),
  FILE_PURGE_DAYS: withDefault(whole(1, 3650), "30"),
  CPR_URL: optional(z.string().regex(/^tls:\/\/(\[[0-9a-f:]+\]|[^\s/:@?#]+):\d{1,5}\/?$/i, "must be tls://host:port")),
  CPR_CUSTOMER: optional(z.string().regex(/^\d{4}$/, "must be four digits")),
  CPR_USER: optional(z.string().regex(/^[\x21-\x7e\xa0-\xff]{1,8}$/, "must be one to eight characters of latin1")),
  CPR_PASSWORD: optional(z.string().regex(/^[\x21-\x7e\xa0-\xff]{1,8}$/, "must be one to eight characters of latin1")),
  CPR_CA_FILE: optional(readableFile),
  CLAMD_URL: optional(z.string().regex(/^(tcp:\/\/|unix:)/, "must be tcp://host:port or unix:/path")),
  CLAMD_MAX_MB: withDefault(whole(1, 4096), "25"),
  WORKER: withDefault(z.enum(["on", "off"], "must be on or off"), "on"),
});

export interface Config {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string;
  appSecret: string;
  appSecretPrevious: string | null;
  adminOrigin: string;
  publicOrigin: string;
  adminIpAllow: string[];
  parkingIpAllow: string[];
  trustedProxies: string[];
  smtpUrl: string | null;
  mailFrom: string;
  productName: string;
  clinicName: string;
  clinicLogo: string | null;
  supportEmail: string;
  supportPhone: string;
  registerUrl: string | null;
  patientLinkDays: number;
  filePurgeDays: number;
  /** CPR Direkte; `url` null means that only test persons are known. */
  personRegister: { url: string | null; customer: string | null; user: string | null; password: string | null; caFile: string | null };
  /** clamd; null means that nothing is scanned. */
  clamdUrl: string | null;
  clamdMaxMegabytes: number;
  runWorker: boolean;
}

/** Every fault in the environment, one a line. */
export class ConfigFault extends Error {}

/**
 * Reads the configuration from the environment and names every fault at once.
 *
 * `env` is passed in whole: the build replaces the words `process.env.NODE_ENV` by a constant.
 * Throws `ConfigFault`.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(env);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  if (env.NODE_ENV === "production") {
    for (const name of ["APP_SECRET", "ADMIN_ORIGIN", "PUBLIC_ORIGIN"]) {
      if (!env[name]?.trim()) faults.push(`${name}: is required in production`);
    }
  }
  if (env.CPR_URL?.trim()) {
    for (const name of ["CPR_CUSTOMER", "CPR_USER", "CPR_PASSWORD"]) {
      if (!env[name]?.trim()) faults.push(`${name}: is required with CPR_URL`);
    }
  }
  if (!parsed.success || faults.length > 0) throw new ConfigFault(faults.join("\n"));
  const e = parsed.data;
  const local = `http://localhost:${e.PORT}`;
  return {
    production: e.NODE_ENV === "production",
    port: e.PORT,
    host: e.HOST,
    dataDir: path.resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL,
    appSecret: e.APP_SECRET ?? keptSecret(path.resolve(e.DATA_DIR)),
    appSecretPrevious: e.APP_SECRET_PREVIOUS ?? null,
    adminOrigin: e.ADMIN_ORIGIN ?? local,
    publicOrigin: e.PUBLIC_ORIGIN ?? local,
    adminIpAllow: e.ADMIN_IP_ALLOW,
    parkingIpAllow: e.PARKING_IP_ALLOW,
    trustedProxies: e.TRUSTED_PROXIES,
    smtpUrl: e.SMTP_URL ?? null,
    mailFrom: e.MAIL_FROM,
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
    clamdUrl: e.CLAMD_URL ?? null,
    clamdMaxMegabytes: e.CLAMD_MAX_MB,
    runWorker: e.WORKER === "on",
  };
}

/** Outside production a secret is made once and kept beside the data that it encrypts. */
function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, "app-secret");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // `wx` lets one of two processes that start together win; the other reads what it wrote.
    writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}
