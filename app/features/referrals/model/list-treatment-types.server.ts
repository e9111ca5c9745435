import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { read } from "~/access/operation.server";
import { findTreatmentTypes } from "~/features/referrals/store/treatment-type-store.server";

/** The same for another feature. */
export const listSelectableTreatments = (db: DbOrTx) => findTreatmentTypes(db);

/** What can be chosen, without -100 (GET /TreatmentTypes). */
export const listTreatmentTypes = read({
  name: "listTreatmentTypes",
  permission: "referral.read",
  input: z.object({}),
  async run({ db }) {
    return { treatmentTypes: (await findTreatmentTypes(db)).map(({ id, name }) => ({ id, name })) };
  },
});
