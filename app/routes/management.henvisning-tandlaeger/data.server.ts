import { z } from "zod";
import { execute, plainInput, read } from "~/access/operation.server";
import { readUrgentAdvice } from "~/features/portal-texts/operations.server";
import { findNewestText } from "~/features/portal-texts/portal-text-store.server";
import { HIDDEN_PROMPTS, offeredPrompts } from "~/features/referrals/model/offered-prompts";
import { WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { findSetting } from "~/features/settings/settings.server";
import { readUsualWaits } from "~/features/statistics/usual-wait.server";

/** The wizard's step; step 1 also has the clinic's introduction, its text for urgent referrals, usual waits and the prompts that it offers. */
export const readWizardPage = read({
  name: "readWizardPage",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: z.looseObject({}),
  async run({ db, portal, caller, now }, input) {
    const wizard = await execute(portal, caller, readWizard, plainInput(input));
    if (wizard.redirectTo !== undefined) return { redirectTo: wizard.redirectTo };
    const isFirst = wizard.step === 1;
    return {
      ...wizard,
      introduction: isFirst ? ((await findNewestText(db, "management"))?.body ?? null) : null,
      urgentAdvice: isFirst ? await readUrgentAdvice(db, portal.config, now) : null,
      usualWaits: isFirst ? await readUsualWaits(portal, now) : [],
      offeredPrompts: isFirst ? offeredPrompts(await findSetting(db, HIDDEN_PROMPTS)) : [],
    };
  },
});
