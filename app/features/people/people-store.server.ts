import type { DbOrTx } from "~db/connection.server";
import type { Actor, Role } from "~/access/actor";
import { clinicsInScope, userScope } from "~/access/directory-scope-store.server";

const NOBODY = [0];
const among = (ids: number[]) => (ids.length > 0 ? ids : NOBODY);

/** The clinics of some users as far as the actor sees them, each user's primary one first. */
export async function findClinicsOfUsers(
  db: DbOrTx,
  actor: Actor,
  userIds: number[],
): Promise<{ userId: number; id: number; name: string }[]> {
  const inScope = clinicsInScope(actor);
  return db
    .selectFrom("user_clinic")
    .innerJoin("clinic", "clinic.id", "user_clinic.clinic_id")
    .select(["user_clinic.user_id as userId", "clinic.id", "clinic.name"])
    .where("user_clinic.user_id", "in", among(userIds))
    .$if(inScope !== null, (query) => query.where("clinic.id", "in", among(inScope!)))
    .orderBy("user_clinic.is_primary", "desc")
    .orderBy("clinic.name_sort")
    .orderBy("clinic.id")
    .execute();
}

export async function findRolesOfUsers(db: DbOrTx, userIds: number[]): Promise<{ userId: number; role: Role }[]> {
  const rows = await db
    .selectFrom("user_role")
    .select(["user_id as userId", "role"])
    .where("user_id", "in", among(userIds))
    .execute();
  return rows.map(({ userId, role }) => ({ userId, role: role as Role }));
}

const columns = [
  "user.id",
  "user.version",
  "user.user_name",
  "user.first_name",
  "user.last_name",
  "user.email",
  "user.phone",
  "user.mobile_phone",
  "user.status",
  "user.password_hash",
  "user.dentist_external_id",
  "user.edi_dentist_id",
  "user.send_ending_letters_via_edi",
  "user.created_at",
  "user.modified_at",
  "user.last_password_reset_at",
  "user.accepted_conditions_at",
  "user.last_active_at",
] as const;

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserInScope>>>;

/** One user whom the actor sees, with who made them; undefined for anybody else. */
export function findUserInScope(db: DbOrTx, actor: Actor, id: number) {
  return db
    .selectFrom("user")
    .leftJoin("user as creator", "creator.id", "user.creator_id")
    .select(columns)
    .select("creator.user_name as creator_user_name")
    .where("user.id", "=", id)
    .where(userScope(actor))
    .executeTakeFirst();
}

/** Every clinic of a user, whoever asks. */
export async function findClinicIds(db: DbOrTx, userId: number): Promise<number[]> {
  const rows = await db.selectFrom("user_clinic").select("clinic_id").where("user_id", "=", userId).execute();
  return rows.map((row) => row.clinic_id);
}
