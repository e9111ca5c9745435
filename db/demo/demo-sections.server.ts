import { execute, plainInput } from "~/access/operation.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { addDays } from "~/text/calendar";
import { localDate, showDay, toMoment } from "~/text/dates";
import { addCallUp } from "./demo-call-ups.server";
import { addLetters } from "./demo-letters.server";
import { callerOf, type Story } from "./demo-scenario";

/** Statuses with an operation time, and those of called-up patients. */
const PLANNED = new Set([6, 7, 15]);
const CALLED = new Set([5, 9, 6, 7, 11, 12, 13, 15]);

const CONTROL = "Kontrol og suturfjernelse";

export async function addPlan(story: Story, referralId: number, status: number): Promise<void> {
  if (!PLANNED.has(status)) return;
  await planOperation(story, referralId);
  await addCallUp(story, referralId);
}

export async function addOutcome(story: Story, referralId: number, status: number): Promise<void> {
  if (status === 7) await addLetters(story, referralId);
  await archiveImages(story, referralId, status);
}

/**
 * Plans the images of called-up patients for the archive; treated patients' images are archived except a few failures.
 */
async function archiveImages({ past: { db } }: Story, referralId: number, status: number): Promise<void> {
  if (!CALLED.has(status)) return;
  const archived = referralId % 13 === 0 ? 2 : 3;
  await db
    .updateTable("referral")
    .set({ radiograph_export_status: PLANNED.has(status) ? archived : 1 })
    .where("id", "=", referralId)
    .where("has_radiographs", "=", 1)
    .execute();
}

async function planOperation({ past, clock, random, staff, case: filled }: Story, referralId: number): Promise<void> {
  const { db } = past;
  const surgeon = staff.find((person) => person.roles.includes("Surgeon")) ?? staff[0]!;
  const types = await db.selectFrom("treatment_type").select(["id", "name"]).execute();
  const typeNamed = (name: string) => types.find((type) => type.name === name)!.id;
  const treatmentType = typeNamed(filled.treatment.name);
  const { version } = await db
    .selectFrom("referral")
    .select("version")
    .where("id", "=", referralId)
    .executeTakeFirstOrThrow();
  const day = addDays(localDate(clock.at), random.integer(7, 40));
  const [hour, minute] = [random.integer(8, 15), random.pick([0, 15, 30, 45])];
  const plan = {
    operationDate: showDay(day),
    operationTimeHours: hour,
    operationTimeMinutes: minute,
    operationDuration: filled.treatment.duration,
    treatmentType,
    surgeonId: surgeon.id,
    price: String(filled.treatment.price),
    surgeonComment: filled.surgeonComment,
  };
  await execute(past, callerOf(surgeon), editPlan, plainInput({ referralId, seenVersion: version, ...plan }));
  const time = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  const line = { referral_id: referralId, is_cancelled: 0, modified_at: toMoment(clock.at) };
  await db
    .insertInto("visit_appointment")
    .values([
      {
        ...line,
        date: day,
        time,
        duration_minutes: filled.treatment.duration,
        treatment: filled.treatment.name,
        external_code: filled.treatment.externalCode,
        treatment_type_id: treatmentType,
      },
      {
        ...line,
        date: addDays(day, 7),
        time: null,
        duration_minutes: 15,
        treatment: CONTROL,
        external_code: "KTR-1",
        treatment_type_id: typeNamed(CONTROL),
      },
    ])
    .execute();
}
