import type { readAppointmentFile } from "~/features/appointments/read-appointments.server";
import type { PageOf } from "~/http/runners/page.server";
import { importStatuses, NOT_FOUND } from "~/features/appointments/import-rules";
import { EXTRA, questionName, showPlanned } from "~/features/appointments/questions";
import { showDateTime } from "~/text/dates";
import { showCount } from "~/text/numbers";

type Values = PageOf<typeof readAppointmentFile>;
export type ShownRow = ReturnType<typeof presentRow>;
export type ShownQuestion = ReturnType<typeof presentQuestion>;

export const presentFile = ({ importedAt, counts, rows, questions, ...file }: Values) => ({
  ...file,
  lines: linesText(file.rowCount),
  left: linesText(file.rowCount - file.rowsDone),
  questions: questions.map(presentQuestion),
  importedAt: importedAt && showDateTime(importedAt),
  counts: importStatuses.flatMap((state) => {
    const found = counts.find(({ status }) => status === state.value);
    return found ? [{ ...state, label: `${state.label}: ${showCount(found.count)}` }] : [];
  }),
  rows: rows.map(presentRow),
});

const presentRow = ({ cpr, date, time, status, ...row }: Values["rows"][number]) => ({
  ...row,
  cpr: cpr ?? "–",
  at: timeText(date, time),
  state: importStatuses.find(({ value }) => value === status) ?? importStatuses[NOT_FOUND],
});

/** Question whether a time is moved or additional. */
const presentQuestion = ({ rowId, line, cpr, name, date, time, code, asks }: Values["questions"][number]) => ({
  name: questionName(rowId),
  label: `Linje ${line}: ${[cpr, name].filter(Boolean).join(" ")}, ${timeText(date, time)}, ${code}`,
  choices: [
    ...asks.map((each) => ({ value: String(each.id), label: `Flyttet fra ${showPlanned(each)}` })),
    { value: EXTRA, label: `Ekstra tid: ${asks.map(showPlanned).join(" og ")} bliver stående` },
  ],
});

const timeText = (date: string | null, time: string | null) => (date === null ? "–" : showPlanned({ date, time }));

const linesText = (count: number) => (count === 1 ? "1 linje" : `${showCount(count)} linjer`);
