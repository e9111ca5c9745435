import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** How each reason was worded, or which code the provider answered with, while the words were all that was stored. The first that fits. */
const wordings: readonly { reason: string; likes: string[]; channel?: string }[] = [
  { reason: "otherPatient", likes: ["Tilbageholdt: filen nævner en anden patient"], channel: "archive" },
  { reason: "noPatientNamed", likes: ["Tilbageholdt: filen siger ikke, hvis den er"], channel: "archive" },
  {
    reason: "archiveKnowsNoPortal",
    likes: ["Arkivet hedder ikke%", "Arkivet kender ikke portalen%", "Arkivet giver ikke portalen lov%"],
    channel: "archive",
  },
  { reason: "archiveFull", likes: ["Arkivet har ikke plads%", "Arkivet har for travlt%"], channel: "archive" },
  {
    reason: "archiveRefusesFile",
    likes: [
      "Arkivet tager ikke imod formatet%",
      "Arkivet tager ikke imod den slags%",
      "Arkivet kan ikke læse filen%",
      "Arkivet siger, at filen er en anden slags%",
      "Filen mangler de numre%",
      "Filen kan ikke læses",
    ],
    channel: "archive",
  },
  { reason: "archiveSilent", likes: ["Arkivet svare%", "Arkivet lukkede%", "Arkivet afbr%", "Arkivet afviste%"] },
  { reason: "noReport", likes: ["Udbyderen har ikke meldt tilbage", "Modtageren har ikke kvitteret"] },
  { reason: "fromCopy", likes: ["Fra en kopi af portalen%"] },
  { reason: "printedElsewhere", likes: ["Kan være sendt af trykkeriet"] },
  { reason: "unreadable", likes: ["Kan ikke læses med den nuværende nøgle"] },
  { reason: "tooLate", likes: ["Blev ikke sendt i tide"] },
  { reason: "fileMissing", likes: ["Filen findes ikke længere", "PDF-filen findes ikke længere"] },
  { reason: "dead", likes: ["Patienten er død%"] },
  { reason: "emigrated", likes: ["Patienten er udrejst%"] },
  { reason: "disappeared", likes: ["Patienten er registreret som forsvundet%"] },
  { reason: "noSuchCpr", likes: ["CPR-nummeret findes ikke%"] },
  { reason: "noCpr", likes: ["CPR-nummeret kan ikke læses"] },
  { reason: "replacementCpr", likes: ["Erstatnings-CPR%"] },
  { reason: "registerSilent", likes: ["CPR-registret svarer ikke"] },
  { reason: "registerNotConfigured", likes: ["CPR-registret er ikke indstillet"] },
  { reason: "noMobilePhone", likes: ["Der er intet mobilnummer"] },
  { reason: "wrongMobilePhone", likes: ["Mobilnummeret er ikke et telefonnummer"] },
  { reason: "noEmail", likes: ["Der er ingen e-mail"] },
  { reason: "noAddress", likes: ["Adresse, postnr. eller by mangler"] },
  { reason: "unreachable", likes: ["%UNDELIVERABLE%"], channel: "sms" },
  { reason: "expired", likes: ["%EXPIRED%"], channel: "sms" },
  {
    reason: "rejected",
    likes: ["%REJECTED%", "GatewayAPI 400%", "GatewayAPI 404%", "GatewayAPI 422%"],
    channel: "sms",
  },
  { reason: "loginRefused", likes: ["EAUTH%", "GatewayAPI 401%", "GatewayAPI 402%", "GatewayAPI 403%"] },
  { reason: "mailboxFull", likes: ["%552%", "%452%", "Kom retur: postkassen er fuld%"], channel: "email" },
  { reason: "noMailbox", likes: ["%550%", "%551%", "%553%", "%554%"], channel: "email" },
  { reason: "returned", likes: ["Kom retur:%"], channel: "email" },
  { reason: "noConnection", likes: ["%ECONN%", "%ESOCKET%", "%EDNS%", "%ENOTFOUND%", "%ETIMEDOUT%", "%EAI_AGAIN%"] },
  { reason: "noConnection", likes: ["%EHOST%", "%ENET%", "%CONNECT_TIMEOUT%"] },
  { reason: "notConfigured", likes: ["Ikke indstillet"] },
];

/** Why a message did not leave or arrive, as a word of its own: what the portal does next no longer hangs on how a sentence is put. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("outbox", "reason", sql`varchar(40)`);
  for (const { reason, likes, channel } of wordings) {
    await db
      .updateTable("outbox")
      .set({ reason })
      .where("outcome", "in", ["failed", "unknown", "queued"])
      .where("reason", "is", null)
      .where((eb) => eb.or(likes.map((like) => eb("detail", "like", like))))
      .$if(channel !== undefined, (query) => query.where("channel", "=", channel))
      .execute();
  }
}
