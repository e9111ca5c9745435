import { z } from "zod";
import { personName } from "~/access/actor";
import { read } from "~/access/operation.server";
import { missingAppointmentFile } from "~/features/appointments/read-appointments.server";
import { readSendingProgress } from "~/features/delivery/read-messages.server";
import { newestMessageAt } from "~/features/messages/operations.server";

/**
 * The shell's poll every 10 seconds (GET /Account): who is signed in; for an open referral also its newest message and
 * the progress of its sendings.
 */
export const readAccount = read({
  name: "readAccount",
  permission: "signedIn",
  input: z.object({ visitId: z.coerce.number().int().positive().nullish().catch(null) }),
  async run({ person, db, portal, now }, { visitId }) {
    const { id, formerIds, firstName, lastName, roles } = person;
    return {
      id,
      formerIds,
      fullName: personName(person),
      firstName,
      lastName,
      role: roles[0] ?? null,
      roles,
      showAppointmentFileNotUploadedAlert: (await missingAppointmentFile(portal, person, now)) === "late",
      ...(visitId
        ? {
            visitId,
            newestMessageAt: await newestMessageAt(db, person, visitId),
            sendings: await readSendingProgress(db, person, visitId),
          }
        : {}),
    };
  },
});
