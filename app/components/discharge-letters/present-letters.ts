import type { SerializeFrom } from "@remix-run/node";
import { DECLINED_TEXT, MAX_SENDINGS } from "~/features/discharge-letters/letter-text";
import type { OpenLetters } from "~/features/discharge-letters/read-discharge-letters.server";
import { ediLine } from "./present-edi-letter";
import { linkWays, obstacleTexts } from "~/features/patient-messages/ways";
import { letterState, linkState } from "~/features/referrals/details/sent-items";
import { showDateTime } from "~/text/dates";

type Values = SerializeFrom<OpenLetters>;

export type ShownLetters = ReturnType<typeof presentLetters>;
export type ShownLetter = ShownLetters["letters"][number];

export function presentLetters({ letters, manage, isDeclined, ...values }: Values) {
  return {
    ...values,
    isDeclined,
    letters: letters.map(({ edi, ...letter }) => ({
      ...presentLetter(letter),
      edi: manage && letter.isEdi ? ediLine(edi, manage) : null,
    })),
    manage: manage && {
      ...manage,
      error: isDeclined ? `${DECLINED_TEXT}. Der sendes ingen breve, og henviser kan ikke hente dem.` : manage.error,
      linkWays: linkWays.map(({ value, label }) => {
        const obstacle = manage.linkWays.find(({ type }) => type === value)?.obstacle ?? null;
        return { type: value, label, obstacle: obstacle && obstacleTexts[obstacle] };
      }),
    },
  };
}

function presentLetter({
  status,
  error,
  sentAt,
  nextAt,
  modifiedAt,
  modifierName,
  patientMessage,
  ...letter
}: Omit<Values["letters"][number], "edi">) {
  return {
    ...letter,
    sentAt: sentAt && showDateTime(sentAt),
    state: status === null ? null : letterState(status, error),
    wasQueued: status !== null,
    facts: [
      { label: "Henviser e-mail", value: letter.recipient },
      {
        label: "Sidst redigeret af",
        value: [modifierName, modifiedAt && showDateTime(modifiedAt)].filter(Boolean).join(", "),
      },
      { label: "Kirurg", value: letter.surgeon },
      {
        label: "Forsøg",
        value: `${letter.attempts}/${MAX_SENDINGS}${nextAt === null ? "" : ` · sendes igen ${showDateTime(nextAt)}`}`,
      },
    ],
    patientMessage: patientMessage && {
      way: linkWays.find(({ value }) => value === patientMessage.type)?.label ?? "–",
      at: showDateTime(patientMessage.at),
      state: linkState(patientMessage.outcome),
    },
  };
}
