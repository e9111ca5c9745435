import { timingSafeEqual } from "node:crypto";
import type { Portal } from "~/portal.server";
import { globalIdOf } from "./global-id";

/** 64 bits: the address of another mail cannot be guessed. */
const CHECK_DIGITS = 16;

/** The envelope sender of a mail, by which what comes back is known: `bounce+12-0f3c…@eksempel.dk`. Nothing where nobody reads it. */
export function bounceTo({ config, secrets }: Pick<Portal, "config" | "secrets">, globalId: string) {
  if (config.bounces === null) return {};
  const [local, domain] = config.bounces.address.split("@");
  const check = secrets.lookup("bounce", globalId).slice(0, CHECK_DIGITS);
  return { bounceTo: `${local}+${globalId.split("-")[1]}-${check}@${domain}` };
}

/** The mail that such an address names, not yet checked; null for any other. Mail servers may change the case of letters. */
export function readBounceAddress(
  { config }: Pick<Portal, "config">,
  address: string,
): { outboxId: number; check: string } | null {
  const [local, domain] = config.bounces?.address.toLowerCase().split("@") ?? [];
  const [, name, id, check, host] = /^([^+@]+)\+(\d{1,15})-([0-9a-f]{16})@(.+)$/.exec(address.toLowerCase()) ?? [];
  return local !== undefined && name === local && host === domain ? { outboxId: Number(id), check: check! } : null;
}

/** Whether the portal has made the address for this row. @param check 16 digits */
export function isBounceCheck(
  { secrets }: Pick<Portal, "secrets">,
  row: { id: number; row_key: string | null },
  check: string,
): boolean {
  return secrets
    .lookups("bounce", globalIdOf("email", row.id, row.row_key ?? ""))
    .some((mac) => timingSafeEqual(Buffer.from(mac.slice(0, CHECK_DIGITS)), Buffer.from(check)));
}
