import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as rules from "./architecture/rules";
import type { Rule, SourceText } from "./architecture/source-text";

const root = path.resolve(import.meta.dirname, "..");
const isText = (file: string) =>
  /\.(ts|tsx|mts|js|mjs|cjs|json|jsonc|md|css|svg|html|txt|ya?ml|sh|csv)$|(^|\/)(Dockerfile|run|\.[a-z.]+)$/.test(file);

/** Every file that is, or would be, committed. */
const committed: SourceText[] = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\0")
  .filter((file) => file !== "" && isText(file) && existsSync(path.join(root, file)))
  .map((file) => ({ path: file, text: readFileSync(path.join(root, file), "utf8") }));

test("there is source to judge", () => {
  expect(committed.filter(({ path: file }) => file.startsWith("app/")).length).toBeGreaterThan(0);
});

/** Each rule holds for the project, and bites: `bad` breaches it, `good` does not. */
function describeRule(name: string, rule: Rule, cases: { bad: Record<string, string>; good: Record<string, string> }) {
  describe(name, () => {
    test("holds", () => {
      expect(rule(committed).map(({ path: file, line, why }) => `${file}:${line} ${why}`)).toEqual([]);
    });
    test.each(Object.entries(cases.bad))("bites: %s", (place, text) => {
      expect(rule([sourceAt(place, text)])).toHaveLength(1);
    });
    test.each(Object.entries(cases.good))("lets pass: %s", (place, text) => {
      expect(rule([sourceAt(place, text)])).toEqual([]);
    });
  });
}

/** `path#remark` lets one path stand in a table more than once. */
const sourceAt = (place: string, text: string): SourceText => ({ path: place.replace(/#.*$/, ""), text });

describeRule("routes know no database, store or gateway", rules.routesKeepTheirPlace, {
  bad: {
    "app/routes/login/route.tsx#db": `import { openDatabase } from "~db/connection.server";`,
    "app/routes/login/route.tsx#db type": `import type { Database } from "~db/schema";`,
    "app/routes/login/route.tsx#kysely": `import { sql } from "kysely";`,
    "app/routes/login/route.tsx#store": `import { findReferral } from "~/features/referrals/store/referral-store.server";`,
    "app/routes/login/route.tsx#gateway": `import { send } from "~/gateways/email/port";`,
    "app/routes/login/route.tsx#access": `import { startSession } from "~/access/sessions.server";`,
    "app/routes/login/row.tsx#another route": `import { x } from "../change-password/form";`,
    "app/routes/login/row.tsx#relative": `import { x } from "../../../db/schema";`,
    "app/routes/login/row.tsx#dynamic": `const x = () => import("~db/schema");`,
    "app/routes/login/row.tsx#re-export": `export { x } from "~db/schema";`,
  },
  good: {
    "app/routes/login/route.tsx": `import { runPage } from "~/http/runners/page.server"; import { can } from "~/access/permissions"; import { Row } from "./row";
      import { setStatus } from "~/features/referrals/status/set-status.server"; import { Form } from "@remix-run/react"; import { Button } from "~/ui/forms/button";`,
    "app/routes/login/route.test.ts": `import { openDatabase } from "~db/connection.server";`,
  },
});

describeRule(
  "features know db, access, text, gateways' ports and other features' operations",
  rules.featuresKeepTheirPlace,
  {
    bad: {
      "app/features/messages/send.server.ts#store": `import { find } from "~/features/referrals/store/referral-store.server";`,
      "app/features/messages/send.server.ts#relative store": `import { find } from "../referrals/referral-store.server";`,
      "app/features/messages/send.server.ts#driver": `import { smtp } from "~/gateways/email/smtp.server";`,
      "app/features/messages/send.server.ts#ui": `import { Chip } from "~/ui/lists/chip";`,
      "app/features/messages/send.server.ts#route": `import { x } from "~/routes/login/route";`,
      "app/features/messages/send.server.ts#runner": `import { runPage } from "~/http/runners/page.server";`,
    },
    good: {
      "app/features/messages/send.server.ts": `import { change } from "~/access/operation.server"; import type { EmailGateway } from "~/gateways/email/port";
      import { db } from "~db/connection.server"; import { x } from "./message-store.server"; import { y } from "~/features/referrals/status/set-status.server";
      import { paths } from "~/paths"; import { day } from "~/text/dates";`,
    },
  },
);

describeRule("gateways know nothing of features", rules.gatewaysKnowNoFeature, {
  bad: {
    "app/gateways/sms/http.server.ts": `import type { Referral } from "~/features/referrals/model/referral";`,
    "app/gateways/sms/http.server.ts#route": `import { x } from "../../routes/login/route";`,
  },
  good: {
    "app/gateways/sms/http.server.ts": `import type { SmsGateway } from "./port"; import { phone } from "~/text/phone";`,
  },
});

describeRule("lists know no feature", rules.listsKnowNoFeature, {
  bad: {
    "app/lists/rows.server.ts": `import { filters } from "~/features/referrals/list/filters";`,
    "app/lists/data-table.tsx": `import { x } from "../routes/login/route";`,
  },
  good: {
    "app/lists/data-table.tsx": `import { Table } from "~/ui/lists/table"; import { can } from "~/access/permissions"; import { useServerForm } from "~/http/forms/use-server-form";`,
  },
});

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
    "app/access/audit.server.ts": `await db.insertInto("audit_event").values(row).execute();`,
    "app/http/express/health.server.ts": `import { sql } from "kysely"; await sql\`select 1\`.execute(db);`,
    "app/features/drafts/store.server.ts": `const find = (db) => db.selectFrom("referral").selectAll().execute();`,
  },
  good: {
    "app/features/messages/message-store.server.ts": `import { sql } from "kysely"; const find = (db) => db.selectFrom("message").select(sql\`1\`).execute();`,
    "app/features/drafts/draft-list.server.ts": `const scope = (db) => db.selectFrom("referral");`,
    "app/features/referrals/list/filter-sql.server.ts": `const tokens = (eb) => eb.selectFrom("referral_name_token");`,
    "app/lists/rows.server.ts": `import { sql } from "kysely"; const id = sql.ref("id");`,
    "app/access/scope.server.ts": `const where = (eb) => eb.and([eb("referral.status", ">", 0)]);`,
    "app/features/messages/send.server.ts": `import { findMessages } from "./message-store.server"; await findMessages(db);`,
    "app/features/messages/write-message.test.ts": `await portal.db.deleteFrom("message").execute();`,
  },
});

describeRule("files know no feature", rules.filesKnowNoFeature, {
  bad: {
    "app/files/zip.server.ts": `import { statuses } from "~/features/referrals/model/status";`,
    "app/files/zip.server.ts#http": `import { errors } from "../http/errors";`,
  },
  good: {
    "app/files/zip.server.ts": `import type { FileStore } from "~/gateways/file-store/port"; import { x } from "./file-name";`,
  },
});

describeRule("access knows no feature", rules.accessKnowsNoFeature, {
  bad: {
    "app/access/scope.server.ts": `import { statuses } from "~/features/referrals/model/status";`,
    "app/access/scope.server.ts#gateway": `import { send } from "~/gateways/email/port";`,
    "app/access/scope.server.ts#http": `import { errors } from "~/http/errors";`,
  },
  good: {
    "app/access/scope.server.ts": `import type { Db } from "~db/connection.server"; import { can } from "./permissions";`,
  },
});

describeRule("the web side knows operations, no feature's store and no database", rules.httpKeepsItsPlace, {
  bad: {
    "app/http/express/metrics.server.ts#store": `import { listJobRuns } from "~/features/job-register/job-store.server";`,
    "app/http/runners/page.server.ts#db": `import { sql } from "~db/connection.server";`,
    "app/http/runners/page.server.ts#driver": `import { createS3 } from "~/gateways/file-store/s3.server";`,
    "app/http/runners/page.server.ts#route": `import { x } from "~/routes/login/form";`,
  },
  good: {
    "app/http/express/health.server.ts": `import { sql } from "~db/connection.server";`,
    "app/http/runners/page.server.ts": `import { execute } from "~/access/operation.server"; import { readJobs } from "~/features/job-register/read-jobs.server"; import { StoreFull } from "~/gateways/file-store/port";`,
  },
});

describeRule("a job runs operations", rules.jobsKeepTheirPlace, {
  bad: {
    "app/jobs/schedule.server.ts#store": `import { findReferral } from "~/features/referrals/store/referral-store.server";`,
    "app/jobs/schedule.server.ts#gateway": `import { send } from "~/gateways/email/port";`,
  },
  good: {
    "app/jobs/schedule.server.ts": `import { claimRun } from "~/features/job-register/job-store.server"; import { execute } from "~/access/operation.server";`,
  },
});

describeRule("formatting and the database know nothing above them", rules.textAndDatabaseKnowNothingAbove, {
  bad: {
    "app/text/dates.ts": `import { can } from "~/access/permissions";`,
    "db/migrate.server.ts": `import { statuses } from "~/features/referrals/model/status";`,
  },
  good: {
    "app/text/dates.ts": `import { addDays } from "./calendar";`,
    "db/demo/bulk.server.ts": `import { statuses } from "~/features/referrals/model/status";`,
  },
});

describeRule("files stay short", rules.filesStayShort, {
  bad: {
    "app/text/dates.ts": "const x = 1;\n".repeat(251),
    "app/styles/kit/lists.css": ".a {}\n".repeat(251),
  },
  good: {
    "app/text/dates.ts": "const x = 1;\n".repeat(250),
    "app/text/dates.test.ts": "const x = 1;\n".repeat(251),
    "db/schema.ts": "const x = 1;\n".repeat(251),
  },
});

describeRule("a component knows no route", rules.componentsKeepTheirPlace, {
  bad: {
    "app/components/sign-in/support-line.tsx": `import type { loader } from "~/routes/login/route";`,
    "app/components/sign-in/support-line.tsx#store": `import { find } from "~/features/accounts/user-store.server";`,
  },
  good: {
    "app/components/sign-in/support-line.tsx": `import { statuses } from "~/features/referrals/model/status"; import { Button } from "~/ui/forms/button";`,
  },
});

describe("features form no circle", () => {
  const one = sourceAt("app/features/messages/a.server.ts", `import { x } from "~/features/referrals/b.server";`);
  const back = sourceAt("app/features/referrals/b.server.ts", `import type { y } from "../messages/a.server";`);
  test("holds", () => {
    expect(rules.featuresFormNoCircle(committed).map(({ path: file, line, why }) => `${file}:${line} ${why}`)).toEqual(
      [],
    );
  });
  test("bites", () => {
    expect(rules.featuresFormNoCircle([one, back])).toHaveLength(2);
  });
  test("lets pass", () => {
    expect(rules.featuresFormNoCircle([one])).toEqual([]);
  });
});

describeRule("ui knows nothing above it", rules.uiKnowsNothingAbove, {
  bad: {
    "app/ui/lists/chip.tsx#features": `import { statuses } from "~/features/referrals/model/status";`,
    "app/ui/lists/chip.tsx#access": `import { can } from "~/access/permissions";`,
    "app/ui/lists/chip.tsx#http": `import { errors } from "../../http/errors";`,
    "app/ui/lists/chip.tsx#db": `import type { Database } from "~db/schema";`,
  },
  good: {
    "app/ui/lists/chip.tsx": `import { Icon } from "./icon"; import { day } from "~/text/dates"; import { useId } from "react";`,
  },
});

describeRule("a file without .server is safe in a browser and free of zod", rules.pureFilesStayPure, {
  bad: {
    "app/text/cpr.ts#zod": `import { z } from "zod";`,
    "app/text/cpr.ts#zod4": `import * as z from "zod/v4";`,
    "app/text/cpr.ts#node": `import { createHmac } from "node:crypto";`,
    "app/text/cpr.ts#bare": `import path from "path";`,
    "app/text/cpr.ts#server": `import { loadConfig } from "~/config/config.server";`,
    "app/text/cpr.ts#half": `import { type A, b } from "~/config/config.server";`,
    "app/text/cpr.ts#re-export": `export { b } from "../config.server";`,
    "app/text/cpr.ts#db": `import { x } from "~db/schema";`,
    "app/text/cpr.ts#package": `import sharp from "sharp";`,
    "app/routes/login/route.tsx": `import { z } from "zod";`,
  },
  good: {
    "app/text/cpr.ts#types": `import type { z } from "zod"; import { type Config } from "~/config/config.server"; import { format } from "date-fns";`,
    "app/config/config.server.ts": `import { z } from "zod"; import path from "node:path";`,
    "app/routes/login/route.tsx": `import { signIn } from "~/features/accounts/sign-in.server"; import { json } from "@remix-run/node";`,
    "app/files/previews/preview-worker.ts": `import { parentPort } from "node:worker_threads";`,
    "app/text/cpr.test.ts": `import path from "node:path";`,
  },
});

describeRule("things have names", rules.thingsHaveNames, {
  bad: {
    "app/utils/date.ts": "",
    "app/features/referrals/helpers.ts": "",
    "tests/common/x.ts": "",
    "app/lib/x.ts": "",
    "db/misc.server.ts": "",
  },
  good: { "app/text/dates.ts": "", "app/features/directory/library-card.ts": "" },
});

describeRule("comments cite what lies in the repository", rules.citationsLieHere, {
  bad: {
    "app/text/cpr.ts#section": `/** Ten digits (specification 1 §4). */`,
    "app/text/cpr.ts#bare": `// As told (1 §4).`,
    "app/text/cpr.ts#whole": `/** The sentence that the specification gives. */`,
    "app/text/cpr.test.ts#title": `test("sizes are the specification's", () => {});`,
    "app/text/cpr.ts#spec": `// As the spec has it.`,
    "app/text/cpr.ts#folder": `// See design/ for the colours.`,
    "app/styles/kit/base.css": `/* design/look.md, rule 9 */`,
    "app/ui/lists/chip.tsx": `/** One file (look.md, rule 12). */`,
  },
  good: {
    "app/text/cpr.ts": `/** As the law on CPR says (docs/decisions/0001), in one range (RFC 9110 §14). */`,
    "scripts/test.mjs": `// Retried in accounts.spec.ts.\nconst tests = specs.flatMap((spec) => spec.tests);`,
  },
});

describeRule("a route has at most 150 lines", rules.routesAreShort, {
  bad: {
    "app/routes/login/route.tsx": "const a = 1;\n".repeat(151),
    "app/routes/healthz.ts": "const a = 1;\n".repeat(151),
  },
  good: {
    "app/routes/login/route.tsx": "const a = 1;\n".repeat(150),
    "app/routes/login/form.tsx": "const a = 1;\n".repeat(300),
  },
});

describeRule("an operation declares its permission", rules.operationsSayWhoMay, {
  bad: {
    "app/features/a/b.server.ts#change": `import { change } from "~/access/operation.server"; export const b = change({ name: "b", run() {} });`,
    "app/features/a/b.server.ts#renamed": `import { read as query } from "../../access/operation.server"; export const b = query({ name: "b" });`,
    "app/features/a/b.server.ts#look-up": `import { lookUp } from "~/access/operation.server"; export const b = lookUp({ name: "b" });`,
    "app/features/a/b.server.ts#variable": `import { external } from "~/access/operation.server"; export const b = external(declaration);`,
  },
  good: {
    "app/features/a/b.server.ts": `import { change } from "~/access/operation.server"; export const b = change({ permission: "public", run() {} });`,
    "app/features/a/b.server.ts#another": `import { read } from "./file"; export const b = read("x");`,
  },
});

describeRule("nobody but access asks for a role", rules.rolesStayInAccess, {
  bad: {
    "app/features/a/b.server.ts#literal": `const isDentist = role === "Dentist";`,
    "app/features/a/b.server.ts#list": `const is = person.roles.some((role) => role === wanted);`,
    "app/routes/login/row.tsx": `const shown = roles.includes(wanted);`,
    "app/http/express/guard.server.ts": `if (caller.actor.roles.includes(staffRole)) next();`,
  },
  good: {
    "app/features/a/b.server.ts": `const may = can(person, "referral.editSent"); const roles = person.roles; const label = "Dentists";`,
    "app/features/directory/surgeon-store.server.ts": `join.on("user_role.role", "=", "Surgeon");`,
    "app/access/permissions.ts": `const grants = { Admin: new Set(), "Dentist Secretary": new Set() }; const has = actor.roles.some((role) => role === "Dentist");`,
  },
});

describeRule("the number of a scoped referral is found, never claimed", rules.scopedIdsAreFound, {
  bad: {
    "app/features/a/b.server.ts#id": `await findFiles(db, referralId as ScopedReferralId);`,
    "tests/factories/referrals.ts": `const row = found as unknown as Scoped<Row>;`,
  },
  good: {
    "app/features/a/b.server.ts": `const find = (db, id: ScopedReferralId) => inScope(query, actor, "sent");`,
    "app/access/scope.server.ts": `export const trustedReferral = (id) => id as ScopedReferralId;`,
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
    "app/features/maintenance/purge-files.server.ts": `import { inTransaction } from "~db/connection.server"; await inTransaction(db, work);`,
    "app/access/throttle.server.ts": `import { inTransaction } from "~db/connection.server"; await inTransaction(db, work);`,
  },
});

describeRule("operations answer values, and pages make the words", rules.operationsAnswerValues, {
  bad: {
    "app/features/a/read.server.ts#date": `import { isoMoment, showDate } from "~/text/dates";`,
    "app/features/a/read.server.ts#renamed": `import { showDateTime as at } from "~/text/dates";`,
    "app/features/a/read.server.ts#relative": `import { showDay } from "../../text/dates";`,
    "app/features/a/read.server.ts#all": `import * as dates from "~/text/dates";`,
    "app/features/a/read.server.ts#price": `import { showPrice } from "~/text/numbers";`,
    "app/features/a/read.server.ts#status": `import { statusLabel } from "~/features/referrals/model/status";`,
    "app/features/a/read.server.ts#chips": `import { presentFilter } from "~/lists/present-filter";`,
    "app/lists/read.server.ts": `import { showCount } from "~/text/numbers";`,
  },
  good: {
    "app/features/a/read.server.ts": `import { isoMoment, localDate } from "~/text/dates"; import { parsePrice } from "~/text/numbers"; import { visibleStatus } from "~/features/referrals/model/status";`,
    "app/features/a/welcome-mail.server.ts": `import { showDateTime } from "~/text/dates";`,
    "app/features/a/receipt-pdf-sheet.server.ts": `import { showDate } from "~/text/dates";`,
    "app/routes/login/present.ts": `import { showDate } from "~/text/dates";`,
    "app/features/a/read.test.ts": `import { showDate } from "~/text/dates";`,
  },
});

describeRule("what statistics count is marked where it is written", rules.countedRowsAreMarked, {
  bad: {
    "app/features/a/b-store.server.ts#status": `export async function move(tx: Tx) { await tx.updateTable("referral").set({ status: 2 }).execute(); }`,
    "app/features/a/b-store.server.ts#any": `export async function write(tx: Tx, set: Set) { await tx.updateTable("referral").set(set).execute(); }`,
    "app/features/a/b-store.server.ts#line": `export async function add(tx: Tx) { await tx.insertInto("visit_appointment").values(line).execute(); }`,
  },
  good: {
    "app/features/a/b-store.server.ts": `export async function move(tx: Tx) { markReferrals(tx, [1]); await tx.updateTable("referral").set({ status: 2 }).execute(); }`,
    "app/features/a/c-store.server.ts": `export async function phone(tx: Tx) { await tx.updateTable("referral").set({ mobile_phone: "1" }).execute(); }`,
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

describeRule("a loader or action is an arrow function that calls a runner", rules.routesCallARunner, {
  bad: {
    "app/routes/login/route.tsx#no runner": `export const loader = () => null;`,
    "app/routes/login/route.tsx#function": `import { runPage } from "~/http/runners/page.server"; export async function loader(args) { return runPage(args, x); }`,
    "app/routes/login/route.tsx#top level": `import { runPage } from "~/http/runners/page.server"; export const loader = runPage(x);`,
    "app/routes/login/route.tsx#re-export": `export { loader } from "./loader";`,
    "app/routes/login/route.tsx#own": `const runCommand = () => null; export const action = () => runCommand();`,
  },
  good: {
    "app/routes/login/route.tsx": `import { runPage } from "~/http/runners/page.server"; import { runCommand } from "~/http/runners/command.server";
      export const loader = async (args) => { const data = await runPage(args, x); return data; };
      export const action = ((args) => runCommand(args, { x })) satisfies ActionFunction; export const meta = () => [];`,
    "app/routes/login/form.tsx": `export const Form = () => null;`,
  },
});

describe("every migration is listed", () => {
  const migration = sourceAt("db/migrations/2026_11_21_0900_people.ts", "");
  const index = (text: string) => sourceAt("db/migrations/index.ts", text);
  test("holds", () => {
    expect(rules.migrationsAreListed(committed)).toEqual([]);
  });
  test("bites", () => {
    expect(rules.migrationsAreListed([migration, index("export const migrations = {};")])).toHaveLength(1);
  });
  test("lets pass", () => {
    expect(
      rules.migrationsAreListed([migration, index(`import * as people from "./2026_11_21_0900_people";`)]),
    ).toEqual([]);
  });
});

const one = ["", "work", "main"].join("/");
describeRule("no committed text names one machine's paths", rules.namesNoMachine, {
  bad: {
    "docs/a.md": `See ${one}/app.`,
    "scripts/a.mjs": `readFile("${one}/x")`,
    "docs/b.md": ["", "home", "kim", "portal"].join("/"),
    "docs/c.md": ["", "Users", "kim", "portal"].join("/"),
  },
  good: {
    "docs/a.md": `https://www.eksempel.dk${one}/x and frame${one.slice(1)}, .${one}/x, /app and /data; POST /${"Users"}/quick-profile`,
    Dockerfile: ["", "home", "node", "app"].join("/"),
  },
});
