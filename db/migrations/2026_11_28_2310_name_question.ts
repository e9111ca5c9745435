import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** Whether staff must decide if the referral's name belongs to its CPR number (`nameQuestions` in referrals/model/name-question.ts); unknown for referrals of before. */
export const changes = {
  columns: { referral: { name_question: "smallint not null default 0" } },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);
