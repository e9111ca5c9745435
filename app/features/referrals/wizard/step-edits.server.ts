import { type Edit, type EditContext, type FieldOfTicket, rowIdIn } from "~/access/edit.server";
import type { Secrets } from "~/access/secrets.server";
import { nameOf, patientValues, text, ticked } from "~/features/referrals/details/form-values.server";
import { factGroups, typedFacts, wordsOfChoices } from "~/features/referrals/model/facts";
import { answerOf, askedFacts, typedAnswers, wordsOfAnswers } from "~/features/referrals/model/known-none";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable, isSentBefore, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { KEPT_NUMBERS } from "./patient-form.schema.server";
import { idsOf } from "~db/connection.server";

/** Values of step 1 as its controls show them. */
export function patientStepValues(secrets: Secrets, row: ReferralRow) {
  return {
    ...patientValues(secrets, row),
    emailConfirm: text(row.email),
    ...typedFacts(row),
    ...typedAnswers(row),
  };
}

const answerGroups = askedFacts.map((name) => [name, answerOf(name)]);

/** How step 1 of a draft is merged with what others have saved; a new form has nothing to merge with. */
export const patientStepEdit: Edit = {
  keeps: KEPT_NUMBERS,
  groups: [["cpr6", "cpr4", "firstName", "lastName"], ["email", "emailConfirm"], ...answerGroups, ...factGroups],
  async read(context, field) {
    const row = await findOfForm(context, field);
    if (row === null) return { values: {} };
    const journals = (await findFiles(context.db, row.id)).filter(({ kind }) => kind === "journal");
    return {
      values: {
        ...patientStepValues(context.portal.secrets, row),
        sendNotification: ticked(row.sendNotificationToDentist),
        keepJournals: idsOf(journals).map(String),
      },
      shown: { ...wordsOfChoices(row), ...wordsOfAnswers(row) },
      version: row.version,
    };
  },
};

/**
 * The stored referral of a step's form; null for a new one, and for one that is sent already, whose operation answers
 * the second sending. Throws `notInScope`.
 */
async function findOfForm({ db, actor }: EditContext, field: FieldOfTicket): Promise<ReferralRow | null> {
  const referralId = rowIdIn(field("referralId"));
  return referralId === 0 || (await isSentBefore(db, actor, referralId)) ? null : findEditable(db, actor, referralId);
}

export const referrerStepEdit: Edit = {
  async read(context, field) {
    const row = await findOfForm(context, field);
    if (row === null) return { values: {} };
    return {
      values: { referrerId: text(row.referrerId), sendNotification: ticked(row.sendNotificationToDentist) },
      shown: { referrerId: await nameOf(context.db, row.referrerId) },
      version: row.version,
    };
  },
};

/** A created referrer replaces the one that the page shows. */
export const seesReferrer: Edit = {
  read: async (context, field) => ({ values: {}, version: (await findOfForm(context, field))?.version }),
  sees: {
    read: async (context, field) => ({ referrerId: text((await findOfForm(context, field))?.referrerId ?? null) }),
    async movedText(context, field) {
      const name = await nameOf(context.db, (await findOfForm(context, field))?.referrerId ?? null);
      return `Intet er gemt: henviseren er nu ${name}. Tryk igen, hvis der stadig skal oprettes en ny.`;
    },
  },
};
