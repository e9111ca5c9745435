import type { DbOrTx } from "~db/connection.server";
import type { Likeness } from "./merge-words";

/** Longer lists are no suggestions. */
const MAX_SUGGESTIONS = 5;

export interface Duplicate {
  id: number;
  knownAs: string;
  why: Likeness;
}

/** Active users who are likely the same person: not staff and sharing a clinic; none for a merged one. */
export async function findDuplicateUsers(db: DbOrTx, id: number, staffRoles: string[]): Promise<Duplicate[]> {
  const own = await db
    .selectFrom("user")
    .select(["email_key", "dentist_external_id", "name_sort", "merged_into_id"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!own || own.merged_into_id !== null) return [];
  const clinics = db.selectFrom("user_clinic").select("clinic_id").where("user_id", "=", id);
  const others = db
    .selectFrom("user")
    .select(["id", "user_name as knownAs"])
    .where("id", "!=", id)
    .where("status", "=", 1)
    .where("id", "not in", (eb) => eb.selectFrom("user_role").select("user_id").where("role", "in", staffRoles))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("user_clinic")
          .select("user_clinic.clinic_id")
          .whereRef("user_clinic.user_id", "=", "user.id")
          .where("user_clinic.clinic_id", "in", clinics),
      ),
    )
    .orderBy("id")
    .limit(MAX_SUGGESTIONS);
  return joined({
    email: await others.where("email_key", "=", own.email_key).execute(),
    dentistId:
      own.dentist_external_id === null
        ? []
        : await others.where("dentist_external_id", "=", own.dentist_external_id).execute(),
    name: await others.where("name_sort", "=", own.name_sort).execute(),
  });
}

export async function findDuplicateClinics(db: DbOrTx, id: number): Promise<Duplicate[]> {
  const own = await db
    .selectFrom("clinic")
    .select(["email_key", "name_sort", "zip", "merged_into_id"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!own || own.merged_into_id !== null) return [];
  const others = db
    .selectFrom("clinic")
    .select(["id", "name as knownAs"])
    .where("id", "!=", id)
    .where("status", "=", 1)
    .orderBy("id")
    .limit(MAX_SUGGESTIONS);
  return joined({
    email: await others.where("email_key", "=", own.email_key).execute(),
    dentistId: [],
    name: await others.where("name_sort", "=", own.name_sort).where("zip", "=", own.zip).execute(),
  });
}

/** Each duplicate once, with its strongest reason. */
function joined(found: Record<Likeness, { id: number; knownAs: string }[]>): Duplicate[] {
  const all = (["dentistId", "email", "name"] as const).flatMap((why) =>
    found[why].map((other) => ({ ...other, why })),
  );
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index).slice(0, MAX_SUGGESTIONS);
}
