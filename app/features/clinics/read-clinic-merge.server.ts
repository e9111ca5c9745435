import { z } from "zod";
import { read } from "~/access/operation.server";
import { countMoving, MAX_COUNTED } from "~/features/merging/merging.server";
import { picksIn } from "~/features/merging/merge-form";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { findMembers } from "./clinic-member-store.server";
import { findClinicsToMerge } from "./merge-clinic-store.server";

export const readClinicMerge = read({
  name: "readClinicMerge",
  permission: "directory.merge",
  input: z.object({ picks: z.string().nullish(), allOf: z.coerce.number().int().nullish().catch(null) }),
  async run({ db }, { picks, allOf }) {
    const clinics = await findClinicsToMerge(db, picksIn(picks));
    const members = await findMembers(
      db,
      clinics.map(({ id }) => id),
    );
    return {
      maxCounted: MAX_COUNTED,
      allOf: clinics.find(({ id }) => id === allOf)?.id ?? null,
      mayMerge: clinics.length > 1 && clinics.every(({ merged_into_id }) => merged_into_id === null),
      clinics: await Promise.all(
        clinics.map(async (clinic) => {
          const own = members.filter((member) => member.clinic_id === clinic.id);
          return {
            id: clinic.id,
            version: clinic.version,
            name: clinic.name,
            email: clinic.email,
            phone: clinic.phone,
            mobilePhone: clinic.mobile_phone,
            address: clinic.address,
            zip: clinic.zip,
            city: clinic.city,
            status: clinic.status,
            createdAt: isoMoment(clinic.created_at),
            members: own.map((member) => ({ id: member.id, name: fullName(member) })),
            moving: { ...(await countMoving(db, "clinic", clinic.id)), members: own.length },
          };
        }),
      ),
    };
  },
});
