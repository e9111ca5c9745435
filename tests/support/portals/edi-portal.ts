import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { importEdi } from "~/features/edi/import-edi.server";
import { listEdi } from "~/features/edi/list/edi-list.server";
import { aClinic, aPerson } from "../../factories/people";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import { dropEdi } from "../edi/drop";

export const worker: Caller = { actor: { kind: "system", job: "job" }, site: "inside", address: "", sessionId: null };

/** What `opened` is handed. */
interface Opened {
  portal: TestPortal;
  admin: Person;
  clinicId: number;
}

/** A portal that receives EDI in its own folder, for the tests of one file. */
export function ediPortal(dialect: Dialect, opened: (what: Opened) => void) {
  let portal: TestPortal;
  let admin: Person;
  let clinicId: number;
  let cprCount = 0;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    clinicId = await aClinic(portal, "Tandlægerne");
    opened({ portal, admin, clinicId });
  });
  beforeEach(() => void portal.clock.advance({ minutes: 1 }));
  afterAll(() => portal.close());

  const aCpr = () => `010170${1000 + ++cprCount}`;
  const drop = (name: string, text: string | Buffer) => dropEdi(portal.config.dataDir, name, text);
  const run = () => importEdi(portal, worker);
  const arrives = async (...texts: (string | Buffer)[]) => {
    texts.forEach((text, index) => drop(`fil${index}.xml`, text));
    await run();
  };
  const shown = async () => (await portal.as(admin, listEdi, {})).rows;
  const newest = async () => (await shown())[0]!;
  const lying = () => readdirSync(path.join(portal.config.dataDir, "edi", "in"));
  const referralOf = (id: number | null) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const logOf = async (id: number | null) =>
    (await portal.db.selectFrom("visitLog").select("event").where("referralId", "=", id).execute()).map(
      ({ event }) => event,
    );

  return { aCpr, drop, run, arrives, shown, newest, lying, referralOf, logOf };
}
