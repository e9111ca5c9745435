import type { ChannelName, Outcome } from "~/features/delivery/delivery-outcome";
import { type Kind, messageKinds } from "~/features/delivery/message-kinds";

/** The logs of what was sent, a channel each; the first is shown until another is chosen. */
export const logNames = ["eboks", "email", "sms"] as const satisfies readonly ChannelName[];

export type LogName = (typeof logNames)[number];

export const isLogName = (text: string | null): text is LogName =>
  (logNames as readonly (string | null)[]).includes(text);

export interface LogType {
  value: number;
  label: string;
}

/** The message types of e-Boks as the API names them; some are sent by no kind of message yet. */
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

/** The types that each log can be filtered by. */
export const logTypes: Readonly<Record<LogName, readonly LogType[]>> = {
  eboks: eboksTypes,
  email: typesOf("email"),
  sms: typesOf("sms"),
};

/** The kind of message that a number of the log's list stands for; undefined where nothing of the type is sent. */
export const kindOfType = (log: LogName, type: number): Kind | undefined =>
  kinds.find((kind) => messageKinds[kind].channels[log] === type);

export const typeOfKind = (log: LogName, kind: Kind): number | null => messageKinds[kind].channels[log] ?? null;

/** The three states that the logs show: 0 in the queue, 1 success, 2 failed. */
export type LogState = 0 | 1 | 2;

/** Of the eleven states of a letter 3 is a success, 0 and 2 wait, and all others have failed; the outcome says the same for every channel. */
export function logState(outcome: Outcome): LogState {
  if (outcome === "sent") return 1;
  return outcome === "queued" || outcome === "awaiting" ? 0 : 2;
}
