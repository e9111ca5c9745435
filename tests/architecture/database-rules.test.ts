import { describeRule } from "./describe-rule";
import * as rules from "./database-rules";

describeRule("SQL stands in stores and lists only", rules.sqlStandsInStores, {
  bad: {
    "app/features/messages/send.server.ts#select": `const find = (db) => db.selectFrom("message").selectAll().execute();`,
    "app/features/messages/send.server.ts#insert": `await tx\n.insertInto("message").values(row).execute();`,
    "app/features/messages/send.server.ts#update": `await context.tx.updateTable("message").set(row).execute();`,
    "app/features/messages/send.server.ts#delete": `await tx.deleteFrom("message").execute();`,
    "app/features/messages/send.server.ts#condition": `const one = (eb) => eb.exists(eb.selectFrom("message").select("id"));`,
    "app/features/messages/send.server.ts#raw": `import { sql } from "kysely"; await sql<{ id: number }>\`select 1\`.execute(db);`,
    "app/features/messages/send.server.ts#raw name": `import { sql as raw } from "kysely"; const id = raw.ref("id");`,
    "app/features/messages/send.server.ts#unless there": `import { insertUnlessThere } from "~db/connection.server"; await insertUnlessThere(tx, "setting", row);`,
    "app/access/audit.server.ts": `await db.insertInto("auditEvent").values(row).execute();`,
    "app/http/express/observation.server.ts": `import { sql } from "kysely"; await sql\`select 1\`.execute(db);`,
  },
  good: {
    "app/features/drafts/store.server.ts": `const find = (db) => db.selectFrom("referral").selectAll().execute();`,
    "app/features/messages/message-store.server.ts": `import { sql } from "kysely"; const find = (db) => db.selectFrom("message").select(sql\`1\`).execute();`,
    "app/features/drafts/draft-list.server.ts": `const scope = (db) => db.selectFrom("referral");`,
    "app/features/referrals/list/filter-sql.server.ts": `const tokens = (eb) => eb.selectFrom("referralNameToken");`,
    "app/lists/rows.server.ts": `import { sql } from "kysely"; const id = sql.ref("id");`,
    "app/access/scope.server.ts": `const where = (eb) => eb.and([eb("referral.status", ">", 0)]);`,
    "app/features/messages/send.server.ts": `import { findMessages } from "./message-store.server"; await findMessages(db);`,
    "app/features/messages/write-message.test.ts": `await portal.db.deleteFrom("message").execute();`,
  },
});

describeRule("transactions and audit rows are the operations'", rules.operationsOwnTransactions, {
  bad: {
    "app/features/a/b.server.ts#transaction": `import { inTransaction } from "~db/connection.server"; export const b = (db) => inTransaction(db, work);`,
    "app/features/a/b.server.ts#audit": `export const b = ({ portal }) => portal.audit.later({});`,
    "app/http/express/uploads.server.ts": `import { inTransaction as begin } from "~db/connection.server"; await begin(db, work);`,
  },
  good: {
    "app/features/a/b.server.ts": `import { type Tx } from "~db/connection.server"; export const b = ({ auditRead }) => auditRead([1]);`,
    "app/features/maintenance/operations.server.ts": `import { inTransaction } from "~db/connection.server"; await inTransaction(db, work);`,
    "app/access/throttle.server.ts": `import { inTransaction } from "~db/connection.server"; await inTransaction(db, work);`,
  },
});

describeRule("a flag, and nothing else, has the name of a flag", rules.flagsKeepTheirNames, {
  bad: {
    "app/features/a/store.server.ts#renamed": `const box = (db) => db.selectFrom("referral").select("referral.isTest as box");`,
    "app/features/a/store.server.ts#taken": `const box = (db) => db.selectFrom("referral").select("status as isTest");`,
    "app/features/a/store.server.ts#computed": `const box = (db) => db.selectFrom("referral").select((eb) => eb.fn.countAll().as("isTest"));`,
  },
  good: {
    "app/features/a/store.server.ts": `const box = (db) => db.selectFrom("referral").select(["referral.isTest", "status as state", (eb) => eb.lit(1).as("one")]);`,
  },
});

describeRule("what statistics count is marked where it is written", rules.countedRowsAreMarked, {
  bad: {
    "app/features/a/b-store.server.ts#status": `export async function move(tx: Tx) { await tx.updateTable("referral").set({ status: 2 }).execute(); }`,
    "app/features/a/b-store.server.ts#any": `export async function write(tx: Tx, set: Set) { await tx.updateTable("referral").set(set).execute(); }`,
    "app/features/a/b-store.server.ts#same name": `export async function give(tx: Tx, clinicId: number) { await tx.updateTable("referral").set({ clinicId }).execute(); }`,
    "app/features/a/b-store.server.ts#line": `export async function add(tx: Tx) { await tx.insertInto("visitAppointment").values(line).execute(); }`,
  },
  good: {
    "app/features/a/b-store.server.ts": `export async function move(tx: Tx) { markReferrals(tx, [1]); await tx.updateTable("referral").set({ status: 2 }).execute(); }`,
    "app/features/a/c-store.server.ts": `export async function phone(tx: Tx) { await tx.updateTable("referral").set({ mobilePhone: "1" }).execute(); }`,
  },
});

describeRule("caches are invalidated after the commit", rules.cachesFollowTheCommit, {
  bad: {
    "app/features/a/b.server.ts#direct": `portal.cache.invalidate("count of");`,
    "app/features/a/b.server.ts#taken apart": `for (const question of questions) cache.invalidate(question);`,
  },
  good: {
    "app/features/a/b.server.ts": `context.afterCommit(() => { for (const question of questions) cache.invalidate(question); });`,
    "app/features/a/c.server.ts": `afterCommit(() => portal.cache.invalidate("count of")); await previews.invalidate(sha256);`,
  },
});
