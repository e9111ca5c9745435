import { stringify } from "csv-stringify/sync";

type Cell = string | number | null;

/** What a spreadsheet takes for a formula, also in the wide forms of these signs. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
/** A number or a telephone number with its sign, with a unit or without: no spreadsheet computes anything of it. */
const NUMBER = /^[+-]\d[\d .,]*( ?\p{L}{1,5})?$/u;

const withoutFormula = (cell: Cell) =>
  typeof cell === "string" && FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;

/** Lines of a CSV for Excel: cells parted by tabs, CRLF; a cell that would run as a formula begins with an apostrophe. */
export const spreadsheetLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map(withoutFormula)),
    { delimiter: "\t", record_delimiter: "windows" },
  );
