import { subHours } from "date-fns";
import { execute, plainInput } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { placeEdiMessage } from "~/features/edi/place/place-message.server";
import { receiveEdiFile } from "~/features/edi/receive/receive-file.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";
import { fullName } from "~/text/names";
import { type DemoEdiPatient, demoEdiCorrespondence, demoEdiReferral } from "./content/edi-messages";
import type { DemoPatient } from "./content/people";

const EAN = "5790000120345";
const practice = { ean: EAN, yderNumber: "079741", practice: "Tandlægerne på Torvet", person: "Åse Øst" };

/**
 * What dentists' systems have sent of late: a referral that was read in, one that is urgent, a message about a patient who waits, one whose
 * name is another than the patient's earlier referral has, so that somebody must decide, and a file that nobody can read.
 * @param past the portal whose watch shows the day of the story
 * @param fresh patients who have not been referred before
 */
export async function addEdi(past: Portal, clock: { at: Date }, fresh: readonly DemoPatient[]): Promise<void> {
  const today = clock.at;
  const [known, other] = await findWaiting(past);
  const [first, second] = fresh;
  if (first === undefined || second === undefined || known === undefined || other === undefined) return;
  const referrer = await findReferrer(past);
  const letter = (number: number, hoursAgo: number, patient: DemoEdiPatient) => ({
    number: 40_100 + number,
    at: subHours(today, hoursAgo),
    sender: practice,
    patient,
  });
  const files: { hoursAgo: number; bytes: Buffer }[] = [
    {
      hoursAgo: 50,
      bytes: demoEdiReferral({
        ...letter(1, 50, first),
        sender: { ...practice, person: referrer ?? practice.person },
        isUrgent: false,
        reason: "Operativ fjernelse af 48, der ligger på tværs.",
        anamnesis: "Rask. Gentagen perikoronitis, sidst for tre uger siden.",
      }),
    },
    {
      hoursAgo: 26,
      bytes: demoEdiReferral({
        ...letter(2, 26, second),
        isUrgent: true,
        reason: "Hævelse og smerter regio 36 efter rodbehandling.",
        anamnesis: "Penicillinallergi. Har fået skyllet af to gange.",
      }),
    },
    {
      hoursAgo: 22,
      bytes: demoEdiCorrespondence({
        ...letter(3, 22, known),
        subject: "Nyt mobilnummer",
        text: "Patienten kan nu bedst træffes efter kl. 15 og vil gerne have en tid om formiddagen.",
      }),
    },
    {
      hoursAgo: 5,
      bytes: demoEdiReferral({
        ...letter(4, 5, { ...other, firstName: "Signe", lastName: "Holmgaard" }),
        isUrgent: false,
        reason: "Apikal parodontitis på 25, ønskes vurderet.",
        anamnesis: "I behandling for forhøjet blodtryk.",
      }),
    },
    { hoursAgo: 3, bytes: Buffer.from("UNA:+.? 'UNB+UNOC:3+5790000120345:14") },
  ];
  for (const [index, { hoursAgo, bytes }] of files.entries()) {
    clock.at = subHours(today, hoursAgo);
    const file = { name: `demo${index + 1}.xml`, sizeBytes: bytes.length, bytes };
    await execute(past, systemCaller("demo"), receiveEdiFile, plainInput(file));
    const due = await past.db.selectFrom("edi_message").select("id").where("state", "=", "new").execute();
    for (const { id } of due) await execute(past, systemCaller("demo"), placeEdiMessage, plainInput({ messageId: id }));
  }
  clock.at = today;
}

async function findReferrer(past: Portal): Promise<string | null> {
  const row = await past.db
    .selectFrom("user")
    .select(["first_name", "last_name"])
    .where("edi_dentist_id", "=", EAN)
    .orderBy("id")
    .executeTakeFirst();
  return row === undefined ? null : fullName(row);
}

async function findWaiting(past: Portal): Promise<DemoEdiPatient[]> {
  const rows = await past.db
    .selectFrom("referral")
    .selectAll()
    .where("status", "in", [2, 3])
    .where("is_test", "=", 0)
    .where("visit_type", "=", "simple")
    .orderBy("id", "desc")
    .limit(2)
    .execute();
  return rows.map((row) => ({
    cpr: sealedCpr.open(past.secrets, row) ?? "",
    firstName: row.first_name,
    lastName: row.last_name,
    address: row.address ?? "",
    zip: row.zip ?? "",
    city: row.city ?? "",
  }));
}
