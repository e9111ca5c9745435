import type { LogName, LogState } from "~/features/logs/log-types";
import type { Toned } from "~/ui/lists/chip";

/** What each log is called: on its link, over its table, and over its list of types. */
export const logWords: Readonly<Record<LogName, { link: string; heading: string; typeLabel: string }>> = {
  eboks: { link: "E-Boks", heading: "E-BOKS LOGS", typeLabel: "E-Boks type" },
  email: { link: "E-MAIL", heading: "E-MAIL LOGS", typeLabel: "E-mail type" },
  sms: { link: "SMS", heading: "SMS LOGS", typeLabel: "Sms type" },
};

/** What stands where a date or a number is missing. */
export const NO_DATA = "Ingen data...";

export const logStates: Readonly<Record<LogState, Toned>> = {
  0: { label: "I kø", tone: "closed", icon: "hourglass" },
  1: { label: "Succes", tone: "ok", icon: "done" },
  2: { label: "Mislykkedes", tone: "err", icon: "alert" },
};
