import { stringify } from "csv-stringify/sync";

type Cell = string | number | null;

/** Formula prefixes, including full-width forms. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
/** A signed number or phone number, optionally with a unit; not computed by spreadsheets. */
const NUMBER = /^[+-]\d[\d .,]*( ?\p{L}{1,5})?$/u;

const withoutFormula = (cell: Cell) =>
  typeof cell === "string" && FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;

/** CSV lines for Excel: tabs, CRLF; formula-like cells get an apostrophe. */
export const spreadsheetLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map(withoutFormula)),
    { delimiter: "\t", record_delimiter: "windows" },
  );
