import type { SerializeFrom } from "@remix-run/node";
import { ediLine } from "~/components/discharge-letters/present-edi-letter";
import { type EdiLetterState, ediLetterStates } from "~/features/edi/edi-states";
import type { EdiLetterPage } from "~/features/edi/list/list-edi-letters.server";
import { showDateTime } from "~/text/dates";

type Values = SerializeFrom<EdiLetterPage>;
export type ShownEdiLetters = ReturnType<typeof presentEdiLetters>;
export type ShownEdiLetter = ShownEdiLetters["rows"][number];

export const presentEdiLetters = (page: Values) => ({
  ...page,
  states: (Object.keys(ediLetterStates) as EdiLetterState[]).map((value) => ({ value, label: ediLetterStates[value] })),
  rows: page.rows.map((row) => presentLetter(row, page)),
});

const BY_MAIL: readonly (string | null)[] = ["sent", "queued", "awaiting"];

function presentLetter({ createdAt, edi, ...row }: Values["rows"][number], page: Values) {
  const { state, sentences } = ediLine(edi, page);
  const isNewest = row.letterNumber !== null;
  return {
    ...row,
    at: { iso: createdAt, text: showDateTime(createdAt) },
    state: { ...state, label: state.label.replace(/^EDI: /, "") },
    /** It arrived by no channel, and nobody has resent it. */
    waitsForSomebody: isNewest && state.tone === "warn" && !BY_MAIL.includes(edi.mail),
    // Only the newest sending mentions the substitute mail.
    sentences: isNewest
      ? sentences
      : [...(edi.detail === null ? [] : [edi.detail]), "Brevet er sendt igen senere, eller det er slettet."],
  };
}
