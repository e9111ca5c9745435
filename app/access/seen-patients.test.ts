import { beforeAll, expect, test } from "vitest";
import { importEdi } from "~/features/edi/import-edi.server";
import { aCorrespondence, dropEdi } from "../../tests/support/edi/drop";
import { aDraft, aReferral } from "../../tests/factories/referrals";
import { operations as table } from "../../tests/support/operations";
import { appointmentsPortal, head, lineOf } from "../../tests/support/portals/appointments-portal";
import { worker } from "../../tests/support/portals/edi-portal";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { Person } from "./actor";
import { Refusal } from "./refusal";
import { declaredOperations } from "../../tests/support/declared-operations";
import type { Operation } from "./operation.server";

const reads = new Map(
  declaredOperations
    .filter(({ kind }) => kind === "read" || kind === "lookUp")
    .map((operation) => [operation.name, operation]),
);

const people = {
  sent: { cpr: "610180-4101", name: "Rosamunde" },
  draft: { cpr: "610180-4102", name: "Valdemarine" },
  /** In an appointment file waiting to be imported, and in an imported one. */
  planned: { cpr: "610181-4103", name: "Kresjan" },
  imported: { cpr: "610181-4104", name: "Sivgerd" },
  /** In an EDI message waiting for a person. */
  written: { cpr: "010170-4105", name: "" },
};
type Who = keyof typeof people;
/** People without a referral in the portal. */
const strangers: readonly Who[] = ["planned", "imported", "written"];

/** Pages that exist in development only. */
const ofDevelopment = new Set(["readDevOutbox"]);

const orNothing = (error: unknown): { shown: Who[]; missing: Who[] } => {
  if (error instanceof Refusal) return { shown: [], missing: [] };
  throw error;
};

forEachDatabase("every read that shows a patient", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  const ids = {} as Record<"sent" | "draft", number>;
  const files = {} as Record<"planned" | "imported", number>;
  const { upload, importAll } = appointmentsPortal(dialect, (begun) => {
    ({ portal, admin, dentist } = begun);
  });
  beforeAll(async () => {
    for (const who of ["sent", "draft"] as const) {
      const [cpr6, cpr4] = people[who].cpr.split("-");
      const patient = { cpr6, cpr4, firstName: people[who].name, lastName: "Findeling" };
      ids[who] = await (who === "sent" ? aReferral : aDraft)(portal, dentist, patient);
    }
    for (const who of ["imported", "planned"] as const)
      files[who] = await upload(
        `${head}\n${lineOf(people[who].cpr, "17.12.2026").replace(";;", `;${people[who].name};`)}`,
      );
    await importAll(files.imported);
    dropEdi(portal.config.dataDir, "a.xml", aCorrespondence({ cpr: people.written.cpr.replace("-", "") }));
    await importEdi(portal, worker);
  });

  const isShown = (text: string, { cpr, name }: (typeof people)[Who]) =>
    text.includes(cpr) || text.includes(cpr.replace("-", "")) || (name !== "" && text.includes(name));

  /** People named by audit rows since an event, by referral or CPR hash. */
  async function auditedSince(event: number): Promise<Set<Who>> {
    await portal.audit.flush();
    const rows = await portal.db
      .selectFrom("auditEvent")
      .leftJoin("auditReferral", "auditReferral.auditEventId", "auditEvent.id")
      .select(["referralId", "cprHash"])
      .where("auditEvent.id", ">", event)
      .execute();
    const named = (Object.keys(people) as Who[]).filter((who) =>
      rows.some(
        ({ referralId: id, cprHash: hash }) =>
          hash === portal.secrets.lookup("cpr", people[who].cpr) || (id !== null && id === ids[who as "sent"]),
      ),
    );
    return new Set(named);
  }

  async function show(operation: Operation, input: unknown) {
    await portal.audit.flush();
    const last = await portal.db
      .selectFrom("auditEvent")
      .select(({ fn }) => fn.max("id").as("id"))
      .executeTakeFirst();
    const answer = JSON.stringify(await portal.as(admin, operation, input)) ?? "";
    const shown = (Object.keys(people) as Who[]).filter((who) => isShown(answer, people[who]));
    const audited = await auditedSince(Number(last?.id ?? 0));
    return { shown, missing: shown.filter((who) => !audited.has(who)) };
  }

  test("names them in its audit row", async () => {
    const unnamed: string[] = [];
    const showing = new Map<string, Who[]>();
    for (const [name, operation] of reads) {
      const line = table[name];
      if (line === undefined || ofDevelopment.has(name) || !/[A*]/.test(line.who)) continue;
      const target = (who: "sent" | "draft") => ({ referralId: ids[who], fileId: 0, referrerId: dentist.id });
      const inputs: unknown[] = line.input
        ? [line.input(target(line.on ?? "sent"))]
        : name === "readAppointmentFile"
          ? Object.values(files).map((fileId) => ({ fileId }))
          : [{}];
      for (const input of inputs) {
        const { shown, missing } = await show(operation, input).catch(orNothing);
        if (missing.length > 0) unnamed.push(`${name}: ${missing.join(", ")}`);
        showing.set(name, [...(showing.get(name) ?? []), ...shown]);
      }
    }
    expect(unnamed).toEqual([]);
    // Guards the table itself: every kind of patient was really shown by some read.
    const seen = (who: Who) => [...showing].flatMap(([name, whom]) => (whom.includes(who) ? [name] : [])).toSorted();
    expect(seen("sent")).toEqual(expect.arrayContaining(["listReferrals", "readReferral", "readOpenReferral"]));
    expect(seen("draft")).toContain("listDrafts");
    expect(Object.fromEntries(strangers.map((who) => [who, seen(who)]))).toEqual({
      planned: ["readAppointmentFile"],
      imported: ["listImportLog", "readAppointmentFile"],
      written: ["listEdi"],
    });
  });
});
