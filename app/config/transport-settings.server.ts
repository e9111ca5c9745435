import ipaddr from "ipaddr.js";
import { z } from "zod";
import { type Given, optional, readableFile } from "./setting-fields.server";

const ON_PURPOSE = "said-on-purpose";
const onPurpose = optional(z.literal(ON_PURPOSE, `must be empty or ${ON_PURPOSE}`));

export const transportFields = {
  SMTP_INSECURE: onPurpose,
  SMS_INSECURE: onPurpose,
  MOTORAPI_INSECURE: onPurpose,
  CLAMD_INSECURE: onPurpose,
  DATABASE_INSECURE: onPurpose,
  DATABASE_CA_FILE: optional(readableFile),
  TLS_CERT_FILE: optional(readableFile),
  TLS_KEY_FILE: optional(readableFile),
};

type TransportValues = z.output<z.ZodObject<typeof transportFields>> & {
  NODE_ENV: string;
  SMTP_URL?: string;
  DATABASE_URL: string;
};

export function transportOf(e: TransportValues) {
  const isProduction = e.NODE_ENV === "production";
  const isOutside = (url: string) => isProduction && !isThisMachine(new URL(url).hostname);
  const databaseNeedsTls = e.DATABASE_URL !== "" && isOutside(e.DATABASE_URL) && e.DATABASE_INSECURE === undefined;
  return {
    /** Requires STARTTLS; `smtps://` begins with TLS anyway. */
    smtpRequiresTls: e.SMTP_URL !== undefined && isOutside(e.SMTP_URL) && e.SMTP_INSECURE === undefined,
    databaseTls: databaseNeedsTls || e.DATABASE_CA_FILE !== undefined ? { caFile: e.DATABASE_CA_FILE ?? null } : null,
    serverTls:
      e.TLS_CERT_FILE !== undefined && e.TLS_KEY_FILE !== undefined
        ? { certFile: e.TLS_CERT_FILE, keyFile: e.TLS_KEY_FILE }
        : null,
  };
}

/** Address prefixes without TLS, by setting. Buckets have their own rule (file-store-settings.server.ts). */
const inClear: Record<string, string> = { SMS_URL: "http:", MOTORAPI_URL: "http:", CLAMD_URL: "tcp:" };

/** Outside addresses that production would reach without TLS and without a stated reason. */
export function transportErrors(given: Given): string[] {
  return Object.entries(inClear).flatMap(([name, scheme]) => {
    const url = given[name] ?? "";
    const permit = `${name.replace(/_URL$/, "")}_INSECURE`;
    if (!url.startsWith(scheme) || !URL.canParse(url) || isThisMachine(new URL(url).hostname)) return [];
    return given[permit] === ON_PURPOSE
      ? []
      : [`${name}: is reached without TLS in production; name an encrypted address, or set ${permit}=${ON_PURPOSE}`];
  });
}

export function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || (ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback");
}
