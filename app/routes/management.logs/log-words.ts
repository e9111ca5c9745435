import type { LogName, LogState } from "~/features/logs/log-types";
import type { Toned } from "~/ui/lists/chip";

export const logWords: Readonly<Record<LogName, { link: string; heading: string; typeLabel: string }>> = {
  eboks: { link: "E-Boks", heading: "E-BOKS LOGS", typeLabel: "E-Boks type" },
  email: { link: "E-MAIL", heading: "E-MAIL LOGS", typeLabel: "E-mail type" },
  sms: { link: "SMS", heading: "SMS LOGS", typeLabel: "Sms type" },
};

export const NO_DATA = "Ingen data...";

export const logStates: Readonly<Record<LogState, Toned>> = {
  0: { label: "I kø", tone: "closed", icon: "hourglass" },
  1: { label: "Succes", tone: "ok", icon: "done" },
  2: { label: "Mislykkedes", tone: "err", icon: "alert" },
};
