import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertStoredFile } from "~/files/stored-file-store.server";
import { toMoment } from "~/text/dates";
import { aClinic, aPerson } from "../../tests/factories/people";
import { aDraft, aReferral } from "../../tests/factories/referrals";
import { operations as table, type Target } from "../../tests/support/operations";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { Person, Role } from "./actor";
import type { Operation } from "./operation.server";
import { declaredOperations } from "../../tests/support/declared-operations";
import { Refusal } from "./refusal";

const operations = new Map(declaredOperations.map((operation) => [operation.name, operation]));
const letters = {
  A: "Admin",
  S: "Surgeon",
  C: "Secretary",
  D: "Dentist Secretary",
  T: "Dentist",
} as const satisfies Record<string, Role>;

/** Names of an operation's input fields, looking through the wrappers around its object schema. */
function inputNames(schema: unknown): string[] {
  const { shape, def } = schema as { shape?: object; def?: { innerType?: unknown; in?: unknown; out?: unknown } };
  if (shape) return Object.keys(shape);
  return [def?.innerType, def?.in, def?.out].flatMap((inner) => (inner === undefined ? [] : inputNames(inner)));
}

test("every operation that names a referral is tested on one, or declares why not", () => {
  const names = [...operations.values()]
    .filter(({ input }) => inputNames(input).includes("referralId"))
    .map(({ name }) => name);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => table[name]?.on === undefined && table[name]?.elsewhere === undefined)).toEqual([]);
});

forEachDatabase("operations on one's own and on other referrals, by role", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  const people = new Map<Role, Person>();
  /** Referrals named by the audit row of each completed change. */
  const audited: number[][] = [];
  const targets = {} as Record<"own" | "other", Record<"sent" | "draft", Target>>;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const [own, other] = [await aClinic(portal), await aClinic(portal)];
    for (const role of Object.values(letters))
      people.set(role, await aPerson(portal, { role, clinicIds: role === "Admin" || role === "Surgeon" ? [] : [own] }));
    const writers = {
      own: people.get("Dentist")!,
      other: await aPerson(portal, { role: "Dentist", clinicIds: [other] }),
    };
    for (const whose of ["own", "other"] as const) {
      const writer = writers[whose];
      targets[whose] = {
        sent: await withFile(await aReferral(portal, writer), people.get("Dentist")!.id),
        draft: await withFile(await aDraft(portal, writer), people.get("Dentist")!.id),
      };
    }
    // Every operation that completes is rolled back with its audit row, because one portal serves the whole table.
    portal.audit.within = (_tx, { referralIds }) => {
      audited.push(referralIds);
      return Promise.reject(new Error("came to its end"));
    };
  });
  afterAll(() => portal.close());

  async function withFile(referralId: number, referrerId: number): Promise<Target> {
    const now = portal.clock.now();
    const storedFileId = await insertStoredFile(
      portal.db,
      {
        fileName: "48.png",
        mime: "image/png",
        sizeBytes: 5,
        sha256: "a".repeat(64),
        storageKey: `file-${referralId}`,
        scanState: "clean",
        dicomCprHash: null,
        dicomFactsEncrypted: null,
      },
      now,
    );
    const file = await portal.db
      .insertInto("referralFile")
      .values({
        referralId,
        kind: "radiograph",
        radiographType: 0,
        storedFileId,
        uploadedAt: toMoment(now),
        uploaderId: people.get("Dentist")!.id,
        deletedAt: null,
        messageId: null,
      })
      .executeTakeFirstOrThrow();
    await portal.db
      .insertInto("dischargeLetter")
      .values({
        referralId,
        letterNumber: 1,
        diagnosisFileId: null,
        status: 1,
        errorMessage: null,
        sendDate: null,
        recipientEmail: null,
        surgeonEmail: null,
        attempts: 1,
        isEdi: false,
        sendEdiAsEmail: false,
        createdAt: toMoment(now),
        deletedAt: null,
      })
      .execute();
    return { referralId, fileId: Number(file.insertId), referrerId };
  }

  /** `allowed`: refused neither by role nor by scope; the operation was done, or refused because of the form's content. */
  const outcome = async (operation: Operation, person: Person, target: Target) => {
    const answer: unknown = await portal
      .as(person, operation, table[operation.name]!.input!(target))
      .catch((error: unknown) => error);
    if (!(answer instanceof Refusal)) return "allowed";
    return answer.name === "notAllowed" || answer.name === "notInScope" ? answer.name : "allowed";
  };

  const onReferrals = Object.entries(table).flatMap(([name, line]) =>
    line.on === undefined ? [] : [{ name, who: line.who, on: line.on }],
  );
  describe.each(onReferrals)("$name, $on", ({ name, who, on }) => {
    test.each(["own", "other"] as const)("%s", async (whose) => {
      const found: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const [letter, role] of Object.entries(letters)) {
        found[role] = await outcome(operations.get(name)!, people.get(role)!, targets[whose][on]);
        const seesIt = whose === "own" || letter === "A" || letter === "S";
        wanted[role] = !who.includes(letter) ? "notAllowed" : seesIt ? "allowed" : "notInScope";
      }
      expect(found).toEqual(wanted);
      const rows = audited.splice(0);
      expect(rows).toEqual(rows.map(() => expect.arrayContaining([targets[whose][on].referralId])));
    });
  });
});
