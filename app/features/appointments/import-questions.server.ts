import type { DbOrTx } from "~db/connection.server";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { findSurgeonChoices } from "~/features/directory/operations.server";
import type { AppointmentRow } from "./appointment-csv.server";
import { type findQuestions, planOf, shownDecision } from "./appointment-store.server";
import { openImportRow } from "./import-appointments.server";
import {
  type Doubt,
  doubtQuestionName,
  EXTRA,
  IMPORTED,
  MEANS_CANCELLED,
  NO,
  NO_SURGEON,
  questionName,
  showPlanned,
  surgeonQuestionName,
  UPDATED,
  YES,
} from "./import-rules";
import { type Decision, decideUnasked, refuseDoubtful } from "./judge-lines";

type Question = Awaited<ReturnType<typeof findQuestions>>[number];

/** A line whose unknown status was read as a cancellation. */
export const cancelledRow = ({ unknownStatus: _read, ...row }: Partial<AppointmentRow>): AppointmentRow => ({
  ...(row as AppointmentRow),
  isCancelled: true,
});

const chooseText: Readonly<Record<Doubt, string>> = {
  status: "Vælg, hvad ordet betyder.",
  surgeon: "Vælg, om tiderne importeres uden kirurg.",
  day: "Vælg, om tiderne importeres.",
  name: "Vælg, om det er den samme person.",
};

/** `isCancelled`: a person has read the line's unknown status as a cancellation. */
export function readAnswers(secrets: Secrets, questions: Question[], answers: Record<string, unknown>) {
  const errors: Record<string, string[]> = {};
  const takenBy = new Map<number, Question>();
  const chooseTime = (row: Question, asked: Decision): Decision => {
    if (asked.asks.length === 0) return asked;
    const chosen = answers[questionName(row.id)];
    const moved = asked.asks.find(({ id }) => String(id) === chosen);
    const before = moved && takenBy.get(moved.id);
    if (chosen !== EXTRA && !moved)
      errors[questionName(row.id)] = [`Linje ${row.line}: vælg, om tiden er flyttet eller ekstra.`];
    if (before) errors[questionName(row.id)] = [`Linje ${row.line}: tiden er allerede valgt på linje ${before.line}.`];
    if (!moved) return { ...asked, asks: [], status: IMPORTED, note: "Valgt: en ekstra tid." };
    takenBy.set(moved.id, row);
    const note = `Valgt: flyttet fra ${showPlanned(moved)}.`;
    return { ...asked, asks: [], status: UPDATED, lineId: moved.id, note };
  };
  const chooseSurgeon = ({ surgeons }: Decision): Decision["surgeons"] => {
    if (surgeons.length < 2) return surgeons;
    const name = surgeonQuestionName(surgeons);
    const chosen = surgeons.filter((id) => String(id) === answers[name]);
    if (chosen.length === 0 && answers[name] !== NO_SURGEON) errors[name] = ["Vælg, hvilken kirurg filen mener."];
    return chosen;
  };
  const answered = questions.map((row) => {
    const asked = shownDecision(row)!;
    const line = { id: row.id, ...openImportRow(secrets, row) };
    const chosen = asked.doubts.map((doubt) => {
      const name = doubtQuestionName(doubt, line);
      const answer = answers[name];
      const isAnswer = answer === YES || answer === NO || (doubt === "status" && answer === MEANS_CANCELLED);
      if (!isAnswer) errors[name] = [chooseText[doubt]];
      return { doubt, answer };
    });
    const refused = chosen.flatMap(({ doubt, answer }) => (answer === NO ? [doubt] : []));
    const isCancelled = refused.length === 0 && chosen.some(({ answer }) => answer === MEANS_CANCELLED);
    const state = planOf(row)!.state;
    if (refused.length > 0) return { row, decision: refuseDoubtful(asked, refused), state, isCancelled };
    const decision = { ...chooseTime(row, asked), surgeons: chooseSurgeon(asked), doubts: [] };
    return { row, decision, state, isCancelled };
  });
  if (Object.keys(errors).length > 0)
    throw new Refusal("invalid", { text: "Intet er importeret: svar på det, filen ikke siger.", fields: errors });
  return answered;
}

export const answeredByDefault = (row: Question) => ({
  row,
  decision: decideUnasked(shownDecision(row)!),
  state: planOf(row)!.state,
  isCancelled: false,
});

type DoubtfulLine = Partial<AppointmentRow> & { id: number; doubts: readonly Doubt[] };

/** One question a word, surgeon or name, with the lines that it concerns; the referral's name beside another one. */
export function doubtQuestionsOf(lines: readonly DoubtfulLine[], referralNameOf: (rowId: number) => string | null) {
  const asked = lines.flatMap((line) =>
    line.doubts.map((doubt) => ({ doubt, line, name: doubtQuestionName(doubt, line) })),
  );
  return [...new Set(asked.map(({ name }) => name))].map((name) => {
    const same = asked.filter((each) => each.name === name);
    const { doubt, line } = same[0]!;
    const days = same.flatMap((each) => each.line.date ?? []).sort();
    return {
      name,
      doubt,
      lines: same.length,
      line: line.line ?? 0,
      word: doubt === "status" ? (line.unknownStatus ?? "") : doubt === "surgeon" ? (line.surgeonName ?? "") : "",
      days: [days[0] ?? null, days.at(-1) ?? null],
      inFile: doubt === "name" ? (line.name ?? "") : "",
      onReferral: doubt === "name" ? (referralNameOf(line.id) ?? "") : "",
    };
  });
}

/** Surgeons between whom a person must choose, with the number of lines that may mean them. */
export async function findSurgeonQuestions(db: DbOrTx, questions: Question[]) {
  const asked = questions.flatMap((row) => {
    const surgeons = planOf(row)!.surgeons ?? [];
    return surgeons.length > 1 ? [surgeons] : [];
  });
  if (asked.length === 0) return [];
  const known = await findSurgeonChoices(db, null);
  return [...new Set(asked.map(surgeonQuestionName))].map((name) => {
    const same = asked.filter((ids) => surgeonQuestionName(ids) === name);
    return { name, lines: same.length, surgeons: known.filter(({ value }) => same[0]!.includes(value)) };
  });
}
