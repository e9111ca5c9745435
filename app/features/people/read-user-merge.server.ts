import { z } from "zod";
import { read } from "~/access/operation.server";
import { countMoving, MAX_COUNTED } from "~/features/merging/merging.server";
import { picksIn } from "~/features/merging/merge-form";
import { fullName } from "~/text/names";
import { isoMoment } from "~/text/dates";
import { findUsersToMerge } from "./merge-user-store.server";
import { mayBeMerged } from "./merge-picks";

/** The merge panel of users: their values and what would be moved. Unknown ones are absent. */
export const readUserMerge = read({
  name: "readUserMerge",
  permission: "directory.merge",
  input: z.object({ picks: z.string().nullish(), allOf: z.coerce.number().int().nullish().catch(null) }),
  async run({ db }, { picks, allOf }) {
    const users = await findUsersToMerge(db, picksIn(picks));
    return {
      maxCounted: MAX_COUNTED,
      allOf: users.find(({ id }) => id === allOf)?.id ?? null,
      mayMerge: users.length > 1 && mayBeMerged(users),
      users: await Promise.all(
        users.map(async (user) => ({
          id: user.id,
          version: user.version,
          name: fullName(user),
          userName: user.user_name,
          createdAt: isoMoment(user.created_at),
          lastActiveAt: user.last_active_at && isoMoment(user.last_active_at),
          clinics: user.clinics.map(({ name }) => name),
          firstName: user.first_name,
          lastName: user.last_name,
          email: user.email,
          phone: user.phone,
          mobilePhone: user.mobile_phone,
          status: user.status,
          dentistExternalId: user.dentist_external_id,
          ediDentistId: user.edi_dentist_id,
          isSecretary: user.isSecretary,
          sendEndingLettersViaEdi: user.send_ending_letters_via_edi === 1,
          moving: await countMoving(db, "user", user.id),
        })),
      ),
    };
  },
});
