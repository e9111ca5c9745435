import type { SerializeFrom } from "@remix-run/node";
import { ediLine } from "~/components/discharge-letters/present-edi-letter";
import { type EdiLetterState, ediLetterStates } from "~/features/edi/edi-states";
import type { EdiLetterPage } from "~/features/edi/list/list-edi-letters.server";
import { showDateTime } from "~/text/dates";

type Values = SerializeFrom<EdiLetterPage>;
export type ShownEdiLetters = ReturnType<typeof presentEdiLetters>;
export type ShownEdiLetter = ShownEdiLetters["rows"][number];

/** The letters that left by EDI, in words. */
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
    /** It came through in no way, and nobody has sent it anew. */
    waitsForSomebody: isNewest && state.tone === "warn" && !BY_MAIL.includes(edi.mail),
    // What goes by mail in its place is told of the newest sending alone.
    sentences: isNewest
      ? sentences
      : [...(edi.detail === null ? [] : [edi.detail]), "Brevet er sendt igen senere, eller det er slettet."],
  };
}
