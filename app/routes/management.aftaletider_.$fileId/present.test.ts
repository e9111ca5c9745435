import { expect, test } from "vitest";
import { presentFile } from "./route";

const row = {
  id: 5,
  line: 2,
  cpr: "010180-1234",
  name: "Bo Øst",
  referralName: null,
  date: "2026-12-02",
  time: "09:30",
  code: "OP-48",
  referralId: 7,
  isDone: true,
  status: 0,
  note: null,
  isShownAgain: false,
  asks: false,
};
const file = {
  id: 1,
  fileName: "tider.csv",
  isWaiting: false,
  canStart: false,
  questions: [],
  surgeonQuestions: [],
  doubtQuestions: [],
  isImporting: false,
  isFailed: false,
  importedAt: "2026-12-01T09:00:00.000Z",
  rowsDone: 1,
  rowCount: 1,
  page: 1,
  pageCount: 1,
  counts: [
    { status: 7, count: 3 },
    { status: 0, count: 1 },
  ],
  rows: [row],
};

test("a file says when it was imported, and counts its rows by what became of them", () => {
  const shown = presentFile(file);
  expect(shown.importedAt).toBe("01.12.2026 kl.\u00a010.00");
  expect(shown.counts.map(({ label }) => label)).toEqual(["1 tid importeret", "3 uændrede"]);
  expect(presentFile({ ...file, importedAt: null }).importedAt).toBeNull();
});

test("a question names line, patient, old times, and that another leaves them", () => {
  const asks = [{ id: 4, date: "2026-12-10", time: "08:30" }];
  const question = {
    rowId: 5,
    line: 2,
    cpr: "010180-1234",
    name: "",
    date: "2026-12-17",
    time: "09:30",
    code: "OP",
    asks,
  };
  expect(presentFile({ ...file, questions: [question] }).questions).toEqual([
    {
      name: "svar5",
      label: "Linje 2: 010180-1234, 17.12.2026 kl. 09.30, OP",
      choices: [
        { value: "4", label: "Flyttet fra 10.12.2026 kl. 08.30" },
        { value: "ekstra", label: "Ekstra tid: 10.12.2026 kl. 08.30 bliver stående" },
      ],
    },
  ]);
});

test("a row says its day and time and its state; what is unknown has a sign", () => {
  const shown = (change: Partial<typeof row> | { cpr: null } | { date: null } | { time: null }) =>
    presentFile({ ...file, rows: [{ ...row, ...change } as typeof row] }).rows[0]!;
  expect(shown({})).toMatchObject({
    cpr: "010180-1234",
    at: "02.12.2026 09.30",
    state: { label: "Tid importeret" },
  });
  expect(shown({ time: null })).toMatchObject({ at: "02.12.2026" });
  expect(shown({ cpr: null })).toMatchObject({ cpr: "–" });
  expect(shown({ date: null })).toMatchObject({ at: "–" });
  expect(shown({ status: 99 })).toMatchObject({ state: { label: "Patient ikke fundet" } });
});
