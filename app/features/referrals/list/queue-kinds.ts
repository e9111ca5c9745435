import { paths } from "~/paths";

interface QueueLook {
  label: string;
  /** The label of a queue of one. */
  one?: string;
  /** Only for triage, since space is short. */
  saysAge?: true;
  /** Of a queue in red. */
  icon?: "urgent" | "cancelled-time";
  /** A page of its own instead of a filter of the overview. */
  page?: string;
  /** Opens its first referral. */
  opensFirst?: true;
}

/** The queues of the front page, in the order in which a line shows those that its role does not name first. */
const kinds = {
  silent: { label: "tavse henvisninger", one: "tavs henvisning" },
  untriagedUrgent: {
    label: "hastehenvisninger venter",
    one: "hastehenvisning venter",
    saysAge: true,
    icon: "urgent",
  },
  alarmingSms: { label: "SMS-svar skal læses først", icon: "urgent", page: paths.smsAlarming },
  possiblyCancelled: { label: "muligvis afbud", icon: "cancelled-time", page: paths.smsPossiblyCancelled },
  toTell: { label: "skal have besked om tiden" },
  mine: { label: "mine" },
  awaitingTriage: { label: "afventer visitering", saysAge: true },
  urgent: { label: "visiteret haster" },
  readyForCallUp: { label: "klar til indkaldelse" },
  needsNewTime: { label: "skal have ny tid" },
  awaitingMaterial: { label: "afventer materiale" },
  withoutSurgeon: { label: "uden aktiv kirurg" },
  newMessages: { label: "nye beskeder", one: "ny besked", opensFirst: true },
  onHold: { label: "på vent" },
} as const satisfies Record<string, QueueLook>;

export type QueueKind = keyof typeof kinds;

export const queueLooks: Readonly<Record<QueueKind, QueueLook>> = kinds;
