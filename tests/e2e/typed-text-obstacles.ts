import { press, type RunningPortal } from "./portal";
import { aDraft, aReferral } from "./referrals";
import type { Made } from "./typed-text-pages";

/** Simulates a database that refuses every write of a change. */
export async function withServerError<T>(portal: RunningPortal, work: () => Promise<T>): Promise<T> {
  await portal.withDatabase((db) => db.schema.alterTable("auditEvent").renameTo("audit_event_away").execute());
  try {
    return await work();
  } finally {
    await portal.withDatabase((db) => db.schema.alterTable("audit_event_away").renameTo("auditEvent").execute());
  }
}

/** Subjects of the pages, created once per worker. */
let made: Promise<Made> | undefined;
export const makeOnce = (portal: RunningPortal) => (made ??= make(portal));

async function make(portal: RunningPortal): Promise<Made> {
  const page = await portal.pageFor("tandlaege");
  const { id } = await aReferral(page);
  const draft = await aDraft(page, ["690179", "4711"]);
  const staff = await portal.pageFor("admin");
  await staff.goto(`/management/overview/${id}`);
  await staff.locator('form:has(input[value="writeMessage"]) [name="text"]').fill("Fra klinikken");
  await press(staff, "writeMessage");
  const message = await portal.withDatabase((db) =>
    db.selectFrom("message").select("id").where("referralId", "=", id).executeTakeFirstOrThrow(),
  );
  const treatment = await portal.withDatabase((db) =>
    db.selectFrom("treatmentType").select("id").where("id", ">", 0).orderBy("id").executeTakeFirstOrThrow(),
  );
  return { sent: id, draft, message: message.id, treatment: treatment.id };
}

/** Forms with a field that `changeBySomebodyElse` changes and that is always typed into. */
export const VERSIONED = new Set(["editMessage", "savePatient"]);

let changes = 0;

/** What somebody else has written last into the comment of a referral and into a message. */
export const changed = () => `Ændret af en anden, ${changes}. gang`;

export async function changeBySomebodyElse(portal: RunningPortal) {
  const { sent, draft, message } = await makeOnce(portal);
  changes += 1;
  await portal.withDatabase(async (db) => {
    await db
      .updateTable("referral")
      .set((eb) => ({
        version: eb("version", "+", 1),
        statusVersion: eb("statusVersion", "+", 1),
        comment: changed(),
      }))
      .where("id", "in", [sent, draft])
      .execute();
    await db
      .updateTable("message")
      .set((eb) => ({ version: eb("version", "+", 1), text: changed() }))
      .where("id", "=", message)
      .execute();
  });
}
