import { z } from "zod";
import { execute, plainInput, read } from "~/access/operation.server";
import { WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { readUsualWaits } from "~/features/statistics/usual-wait.server";

/** The wizard's page: its step, and at the first one how long patients usually wait. */
export const readWizardPage = read({
  name: "readWizardPage",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: z.looseObject({}),
  async run({ portal, caller, now }, asked) {
    const wizard = await execute(portal, caller, readWizard, plainInput(asked));
    if (wizard.redirectTo !== undefined) return { redirectTo: wizard.redirectTo };
    return { ...wizard, usualWaits: wizard.step === 1 ? await readUsualWaits(portal, now) : [] };
  },
});
