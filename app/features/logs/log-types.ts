import type { ChannelName, Outcome } from "~/features/delivery/delivery-outcome";
import { type Kind, messageKinds } from "~/features/delivery/message-kinds";

export const logNames = ["eboks", "email", "sms"] as const satisfies readonly ChannelName[];

export type LogName = (typeof logNames)[number];

export const isLogName = (text: string | null): text is LogName =>
  (logNames as readonly (string | null)[]).includes(text);

interface LogType {
  value: number;
  label: string;
}

const eboksTypes: readonly LogType[] = [
  { value: 0, label: "Indkald" },
  { value: 1, label: "Aftalebrev" },
  { value: 2, label: "Xray" },
  { value: 3, label: "Faktura" },
  { value: 4, label: "Tilbud" },
  { value: 5, label: "Udskrivningsbrev" },
];

const kinds = Object.keys(messageKinds) as Kind[];

const typesOf = (log: LogName): readonly LogType[] =>
  kinds
    .flatMap((kind) => {
      const value = messageKinds[kind].channels[log];
      return value === undefined ? [] : [{ value, label: messageKinds[kind].label }];
    })
    .sort((one, other) => one.value - other.value);

export const logTypes: Readonly<Record<LogName, readonly LogType[]>> = {
  eboks: eboksTypes,
  email: typesOf("email"),
  sms: typesOf("sms"),
};

export const kindOfType = (log: LogName, type: number): Kind | undefined =>
  kinds.find((kind) => messageKinds[kind].channels[log] === type);

export const typeOfKind = (log: LogName, kind: Kind): number | null => messageKinds[kind].channels[log] ?? null;

/** States in logs: 0 queued, 1 success, 2 failed. */
export type LogState = 0 | 1 | 2;

/** Maps an outcome to the log state; for letters 3 is success, 0 and 2 waiting, others failed. */
export function logState(outcome: Outcome): LogState {
  if (outcome === "sent") return 1;
  return outcome === "queued" || outcome === "awaiting" ? 0 : 2;
}

/** Addresses that grant access: a new password, a sign-in, a patient's page or files. */
const SECRET_ADDRESS = /[?&;](tk|token|code|kode|key)=/i;
const ADDRESS = /https?:\/\/[^\s"'<>]+/gi;
const TARGET = /\shref="[^"]*"/gi;
const CODE = /(\b(?:engangs)?koden?\b\D{0,20})\d{4,10}/gi;

const HIDDEN = "(linket er skjult)";

/** Removes links and codes that grant access, for readers other than the recipient. */
export function hideSecrets(text: string): string {
  return text
    .replace(TARGET, (target) => (SECRET_ADDRESS.test(target) ? "" : target))
    .replace(ADDRESS, (address) => (SECRET_ADDRESS.test(address) ? HIDDEN : address))
    .replace(CODE, "$1(skjult)");
}
