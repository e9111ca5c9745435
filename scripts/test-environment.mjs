import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";

// Settings of a portal that this shell may run must not affect the tests.
const settings = [
  "PORT",
  "HOST",
  "DATA_DIR",
  "DATABASE_URL",
  "APP_SECRET",
  "APP_SECRET_PREVIOUS",
  "ADMIN_ORIGIN",
  "PUBLIC_ORIGIN",
  "ADMIN_IP_ALLOW",
  "PARKING_IP_ALLOW",
  "TRUSTED_PROXIES",
  "SMTP_URL",
  "MAIL_FROM",
  "SMS_TOKEN",
  "SMS_URL",
  "SMS_SENDER",
  "SMS_WEBHOOK_SECRET",
  "METRICS_PORT",
  "METRICS_HOST",
  "METRICS_TOKEN",
  "MOTORAPI_TOKEN",
  "MOTORAPI_URL",
  "PRODUCT_NAME",
  "CLINIC_NAME",
  "CLINIC_LOGO",
  "SUPPORT_EMAIL",
  "SUPPORT_PHONE",
  "REGISTER_URL",
  "PATIENT_LINK_DAYS",
  "FILE_PURGE_DAYS",
  "NODE_ENV",
];
export const environment = { ...process.env };
for (const name of settings) delete environment[name];

/** Peak size of a complete run: databases, uploads and browser profiles. */
const MEMORY_FOLDER_BYTES = 8 * 1024 ** 3;

/**
 * Puts temporary files of the tests into memory if there is room: creating databases on disk takes four times as long.
 */
export function useMemoryFolder() {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < MEMORY_FOLDER_BYTES) return;
  const folder = mkdtempSync(path.join(memory, "portal-tests-"));
  environment.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
