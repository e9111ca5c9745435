// @module-tag node
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CuttingProxy, startCuttingProxy } from "../support/peers/cutting-proxy";
import { demoPortal } from "../support/portals/demo-portal";
import { MEGABYTE, portOf } from "./cut-connection-portal";

const REFERRALS = 2000;

const portal = demoPortal({ people: ["admin"] });
let connection: CuttingProxy;

beforeAll(async () => {
  connection = await startCuttingProxy(portOf(portal.origin));
  // About twenty megabytes, far more than the buffers between portal and reader.
  portal.inDatabase((database) => {
    const columns = (database.prepare("pragma table_xinfo(referral)").all() as { name: string; hidden: number }[])
      .filter(({ name, hidden }) => hidden === 0 && name !== "id")
      .map(({ name }) => name);
    const { id } = database.prepare("select id from referral where sent_at is not null order by id").get() as {
      id: number;
    };
    database
      .prepare("update referral set desired_treatment = ?, create_date = '2020-03-01T10:00:00.000Z' where id = ?")
      .run("Operativ fjernelse. ".repeat(250), id);
    database
      .prepare(
        `with recursive nth(n) as (select 2 union all select n + 1 from nth where n < ${REFERRALS})
         insert into referral (${columns.join(", ")}) select ${columns.join(", ")} from referral, nth where id = ?`,
      )
      .run(id);
  });
});
afterAll(() => connection?.close());

const fetchExport = () =>
  fetch(`${connection.origin}/api/Visits/download/csv/bydates?StartDate=2020-01-01&EndDate=2020-12-31`, {
    headers: {
      cookie: portal.cookies.admin!,
      "sec-fetch-site": "same-origin",
      "accept-encoding": "identity",
    },
  });
const count = (sql: string) =>
  portal.inDatabase((database) => (database.prepare(`select count(*) as n ${sql}`).get() as { n: number }).n);
const marked = () => count("from referral where exported_to_csv = 1");
const inAudit = () =>
  count(
    "from audit_referral join audit_event on audit_event.id = audit_referral.audit_event_id where operation = 'downloadExport'",
  );

test("a cut export marks nothing as exported, and the audit names its rows", async () => {
  connection.cutAnswersAt(2 * MEGABYTE);
  const answer = await fetchExport();
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
  await expect.poll(inAudit).toBeGreaterThanOrEqual(200);
  expect(inAudit()).toBeLessThan(REFERRALS);
  expect(marked()).toBe(0);
});

test("an export that was wholly sent marks its referrals as exported", async () => {
  const before = inAudit();
  const text = Buffer.from(await (await fetchExport()).arrayBuffer()).toString("utf16le");
  expect(text.split("\r\n")).toHaveLength(REFERRALS + 2);
  await expect.poll(marked).toBe(REFERRALS);
  await expect.poll(() => inAudit() - before).toBe(REFERRALS);
});
