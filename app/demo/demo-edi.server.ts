import { execute, plainInput } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { placeEdiMessage } from "~/features/edi/place/place-message.server";
import { receiveEdiFile } from "~/features/edi/receive/receive-file.server";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { type DemoEdiPatient, demoEdiCorrespondence, demoEdiReferral } from "./content/edi-messages.server";
import type { DemoPatient } from "./content/people.server";
import type { DemoProviders } from "./demo-providers.server";
import type { Tale } from "./demo-scenario.server";

/** The first dentist of the demo, whose practice writes by EDI. */
export const EAN = "5790000120345";
const practice = { ean: EAN, yderNumber: "079741", practice: "Tandlægerne på Åen", person: "Mette Kjærgaard" };

/**
 * Recent messages of dentists' systems: an ordinary and an urgent referral, a message about a waiting patient, a
 * referral with another name than the patient's earlier one, so that somebody must decide, and an unreadable file.
 * @param fresh patients who have not been referred before
 */
export async function* ediTale({ past }: DemoProviders, [first, second]: readonly DemoPatient[]): Tale {
  const caller = systemCaller("demo");
  const receive = async (number: number, bytes: Buffer) => {
    const file = { name: `demo${number}.xml`, sizeBytes: bytes.length, bytes };
    await execute(past, caller, receiveEdiFile, plainInput(file));
    const due = await past.db.selectFrom("ediMessage").select("id").where("state", "=", "new").execute();
    for (const { id } of due) await execute(past, caller, placeEdiMessage, plainInput({ messageId: id }));
  };
  const letter = (number: number, patient: DemoEdiPatient) => ({
    number: 40_100 + number,
    at: past.clock.now(),
    sender: practice,
    patient,
  });
  yield -2.2;
  await receive(
    1,
    demoEdiReferral({
      ...letter(1, first!),
      isUrgent: false,
      reason: "Operativ fjernelse af 48, der ligger på tværs.",
      anamnesis: "Rask. Gentagen perikoronitis, sidst for tre uger siden.",
    }),
  );
  yield -0.6;
  await receive(
    2,
    demoEdiReferral({
      ...letter(2, second!),
      isUrgent: true,
      reason: "Hævelse og smerter regio 36 efter rodbehandling.",
      anamnesis: "Penicillinallergi. Har fået skyllet af to gange.",
    }),
  );
  const [known, other] = await findWaiting(past);
  if (known === undefined || other === undefined) return;
  yield -0.3;
  await receive(
    3,
    demoEdiCorrespondence({
      ...letter(3, known),
      subject: "Nyt mobilnummer",
      text: "Patienten kan nu bedst træffes efter kl. 15 og vil gerne have en tid om formiddagen.",
    }),
  );
  yield 0.3;
  await receive(
    4,
    demoEdiReferral({
      ...letter(4, { ...other, firstName: "Signe", lastName: "Holmgaard" }),
      isUrgent: false,
      reason: "Apikal parodontitis på 25, ønskes vurderet.",
      anamnesis: "I behandling for forhøjet blodtryk.",
    }),
  );
  yield 0.7;
  await receive(5, Buffer.from("UNA:+.? 'UNB+UNOC:3+5790000120345:14"));
}

async function findWaiting(past: Portal): Promise<DemoEdiPatient[]> {
  const rows = await past.db
    .selectFrom("referral")
    .selectAll()
    .where("status", "in", [2, 3])
    .where("isTest", "=", false)
    .where("visitType", "=", "simple")
    .orderBy("id", "desc")
    .limit(2)
    .execute();
  return rows.map((row) => ({
    cpr: sealedCpr.open(past.secrets, row) ?? "",
    firstName: row.firstName,
    lastName: row.lastName,
    address: row.address ?? "",
    zip: row.zip ?? "",
    city: row.city ?? "",
  }));
}
