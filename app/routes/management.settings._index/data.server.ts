import { z } from "zod";
import { execute, type Operation, plainInput, read } from "~/access/operation.server";
import { listTreatmentTypes } from "~/features/referrals/treatment-types/operations.server";
import { listImportLog } from "~/features/appointments/import-log-list.server";

export const readSettingsPage = read({
  name: "readSettingsPage",
  permission: "settings.manage",
  input: z.object({ page: z.unknown(), cursor: z.unknown(), f: z.string().nullish() }),
  async run({ portal, caller }, input) {
    const ask = <O>(operation: Operation<any, O>, values: object) =>
      execute(portal, caller, operation, plainInput(values));
    return {
      ...(await ask(listTreatmentTypes, {})),
      log: await ask(listImportLog, input),
    };
  },
});
