import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { findTreatmentTypes } from "~/features/referrals/store/treatment-type-store.server";

export const listSelectableTreatments = (db: DbOrTx) => findTreatmentTypes(db);

/** Treatment types without -100 (GET /TreatmentTypes); editors also get codes and links. */
export const listTreatmentTypes = read({
  name: "listTreatmentTypes",
  permission: "referral.read",
  input: z.object({}),
  async run({ db, actor }) {
    const types = await findTreatmentTypes(db);
    return {
      treatmentTypes: types.map(({ id, name, ...settings }) => ({
        id,
        name,
        ...(can(actor, "settings.manage") ? { settings } : {}),
      })),
    };
  },
});
