/** What a browser that translates the page must leave as it is (app/ui/layout/translation.tsx). */
import { type Rule, isTest } from "./source-text";

/** A column of a list, up to its cell. */
const column = /\{\s*label: ("[^"]+"|\w+\.label),((?:(?!\{\s*label:)[\s\S])*?)cell:/g;
/** Columns of names, numbers, addresses and codes, by their label or by the name of their definition. */
const ofNames =
  /^"(Nr\.|CPR|Patient|Navn|Mobil|Henviser|Brugernavn|Nummerplade|Referencenummer|Ekstern kode|Filnavn|Klinik|Recipient|Sender)|^(number|cpr|name|userName|modifier|city|phone|email)\.label/;

/** A column of names or numbers is verbatim, or names its row, which is verbatim anyway. */
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
