import { timingSafeEqual } from "node:crypto";
import type { Portal } from "~/portal.server";
import { type ChannelName, channelNames } from "./delivery-outcome";

/** 64 bits, so that another mail's address cannot be guessed. */
const CHECK_DIGITS = 16;

/** The envelope sender that identifies a bounce: `bounce+12-0f3c…@eksempel.dk`. Undefined when bounces are not read. */
export function bounceTo({ config, secrets }: Pick<Portal, "config" | "secrets">, globalId: string) {
  if (config.bounces === null) return {};
  const [local, domain] = config.bounces.address.split("@");
  const check = secrets.lookup("bounce", globalId).slice(0, CHECK_DIGITS);
  return { bounceTo: `${local}+${globalId.split("-")[1]}-${check}@${domain}` };
}

/**
 * Parses the mail a bounce address names, without verifying it; null for other addresses. Case is ignored, since mail
 * servers may change it.
 */
export function readBounceAddress(
  { config }: Pick<Portal, "config">,
  address: string,
): { outboxId: number; check: string } | null {
  const [local, domain] = config.bounces?.address.toLowerCase().split("@") ?? [];
  const [, name, id, check, host] = /^([^+@]+)\+(\d{1,15})-([0-9a-f]{16})@(.+)$/.exec(address.toLowerCase()) ?? [];
  return local !== undefined && name === local && host === domain ? { outboxId: Number(id), check: check! } : null;
}

/** Verifies that the portal issued the address for this row. @param check 16 digits */
export function isBounceCheck(
  { secrets }: Pick<Portal, "secrets">,
  row: { id: number; rowKey: string | null },
  check: string,
): boolean {
  return secrets
    .lookups("bounce", globalIdOf("email", row.id, row.rowKey ?? ""))
    .some((mac) => timingSafeEqual(Buffer.from(mac.slice(0, CHECK_DIGITS)), Buffer.from(check)));
}

/**
 * A message's id at providers that remember: it includes the row's random key, because ids restart in another database:
 * `eboks-12-0f3c…`.
 */
export const globalIdOf = (channel: ChannelName, outboxId: number, rowKey: string) =>
  `${channel}-${outboxId}-${rowKey.slice(0, 16)}`;
export const readGlobalId = (text: string): { channel: ChannelName; outboxId: number } | null => {
  const [, name, id] = /^([a-z]+)-(\d{1,15})-[0-9a-f]*$/.exec(text) ?? [];
  const channel = channelNames.find((each) => each === name);
  return channel === undefined ? null : { channel, outboxId: Number(id) };
};
