import { z } from "zod";
import { execute, plainInput, read } from "~/access/operation.server";
import { findNewestText } from "~/features/portal-texts/portal-text-store.server";
import { WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { readUsualWaits } from "~/features/statistics/usual-wait.server";

/** The wizard's step; step 1 also has the clinic's introduction and usual waits. */
export const readWizardPage = read({
  name: "readWizardPage",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: z.looseObject({}),
  async run({ db, portal, caller, now }, input) {
    const wizard = await execute(portal, caller, readWizard, plainInput(input));
    if (wizard.redirectTo !== undefined) return { redirectTo: wizard.redirectTo };
    if (wizard.step !== 1) return { ...wizard, introduction: null, usualWaits: [] };
    return {
      ...wizard,
      introduction: (await findNewestText(db, "management"))?.body ?? null,
      usualWaits: await readUsualWaits(portal, now),
    };
  },
});
