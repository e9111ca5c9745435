import { execute, type Operation, plainInput, read } from "~/access/operation.server";
import { listAppointmentFiles } from "~/features/appointments/operations.server";
import { listFreedTimes } from "~/features/freed-times/list-freed-times.server";
import { listSms } from "~/features/sms-threads/sms-list.server";
import { z } from "zod";

export const readSmsPage = read({
  name: "readSmsPage",
  permission: "patientMessage.send",
  input: z.object({
    sort: z.string().nullish(),
    page: z.unknown(),
    cursor: z.unknown(),
    f: z.string().nullish(),
    openId: z.unknown(),
  }),
  async run({ portal, caller }, input) {
    const ask = <O>(operation: Operation<any, O>, values: object) =>
      execute(portal, caller, operation, plainInput(values));
    return {
      ...(await ask(listSms, input)),
      upload: await ask(listAppointmentFiles, {}),
      ...(await ask(listFreedTimes, {})),
    };
  },
});
