import { subDays } from "date-fns";
import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import {
  lockAppointmentFile,
  findQuestions,
  markImporting,
  planOf,
  shownDecision,
  updateRowPlan,
} from "./appointment-store.server";
import { fileStates, IMPORTED, PLAN_DAYS, UPDATED, FILE_UNKNOWN } from "./import-rules";
import { asExtra } from "./judge-lines";
import { EXTRA, questionName, showPlanned } from "./questions";

type Question = Awaited<ReturnType<typeof findQuestions>>[number];

/**
 * 'Importér' or 'Prøv igen': lets the worker carry out the remaining rows as shown and answered. Only the uploader may
 * start it; pressing twice starts it once. `isUnattended` (API): possible moves become further appointments. Throws
 * `notInScope`, `notAllowed`, `conflict` if the dry run is too old, and `invalid` with unanswered questions.
 */
export const startImport = change({
  name: "startImport",
  permission: "appointments.import",
  input: z.object({ fileId: z.coerce.number().int(), isUnattended: z.boolean().default(false) }).catchall(z.unknown()),
  async run({ tx, person, now, auditChange }, { fileId, isUnattended, ...answers }) {
    const file = await lockAppointmentFile(tx, fileId);
    if (!file) throw new Refusal("notInScope", { text: FILE_UNKNOWN });
    if (file.status === fileStates.waiting && file.user_id !== person.id)
      throw new Refusal("notAllowed", {
        text: "Prøvekørslen er en andens. Upload filen selv, hvis du vil importere den.",
      });
    const isStartable = file.status === fileStates.waiting || file.status === fileStates.failed;
    if (isStartable && file.create_date < toMoment(subDays(now, PLAN_DAYS)))
      throw new Refusal("conflict", {
        text: "Prøvekørslen er mere end et døgn gammel, så intet er importeret. Upload dagens fil.",
      });
    if (isStartable) {
      const questions = await findQuestions(tx, fileId);
      const answered = isUnattended ? questions.map(answeredByDefault) : readAnswers(questions, answers);
      for (const { row, ...decided } of answered) await updateRowPlan(tx, row.id, { ...decided, isShownAgain: false });
    }
    await markImporting(tx, fileId, isUnattended);
    auditChange([], `appointment file ${fileId}`);
    return { to: paths.appointmentFile(fileId) };
  },
});

function readAnswers(questions: Question[], answers: Record<string, unknown>) {
  const errors: Record<string, string[]> = {};
  const takenBy = new Map<number, Question>();
  const read = questions.map((row) => {
    const chosen = answers[questionName(row.id)];
    const moved = planOf(row)!.asks.find(({ id }) => String(id) === chosen);
    const before = moved && takenBy.get(moved.id);
    if (chosen !== EXTRA && !moved)
      errors[questionName(row.id)] = [`Linje ${row.line}: vælg, om tiden er flyttet eller ekstra.`];
    if (before) errors[questionName(row.id)] = [`Linje ${row.line}: tiden er allerede valgt på linje ${before.line}.`];
    if (!moved) return answered(row, IMPORTED, null, "Valgt: en ekstra tid.");
    takenBy.set(moved.id, row);
    return answered(row, UPDATED, moved.id, `Valgt: flyttet fra ${showPlanned(moved)}.`);
  });
  if (Object.keys(errors).length > 0)
    throw new Refusal("invalid", { text: "Intet er importeret: svar på det, filen ikke siger.", fields: errors });
  return read;
}

const answered = (row: Question, status: number, lineId: number | null, note: string) => ({
  row,
  decision: { status, referralId: row.referral_id, lineId, asks: [], note },
  state: planOf(row)!.state,
});

const answeredByDefault = (row: Question) => answered(row, IMPORTED, null, asExtra(shownDecision(row)!).note!);
