/** Text that browsers must not translate (app/ui/layout/translation.tsx). */
import { type Rule, isTest } from "./source-text";

const column = /\{\s*label: ("[^"]+"|\w+\.label),((?:(?!\{\s*label:)[\s\S])*?)cell:/g;
/** Columns of names, numbers, addresses and codes, by label or definition. */
const ofNames =
  /^"(Nr\.|CPR|Patient|Navn|Mobil|Henviser|Brugernavn|Nummerplade|Referencenummer|Ekstern kode|Filnavn|Klinik|Recipient|Sender)|^(number|cpr|name|userName|modifier|city|phone|email)\.label/;

/** Columns of names or numbers are verbatim or row headers. */
export const columnsOfNamesAreVerbatim: Rule = (sources) =>
  sources
    .filter(({ path: file }) => /^app\/(routes|components)\/.*\.tsx$/.test(file) && !isTest(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(column)]
        .filter(([, label, more]) => ofNames.test(label!) && !/isVerbatim|isRowHeader/.test(more!))
        .map(({ index, 1: label }) => ({
          path: file,
          line: text.slice(0, index).split("\n").length,
          why: `the column ${label} holds names or numbers: isVerbatim`,
        })),
    );
