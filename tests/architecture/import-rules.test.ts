import { describe, expect, test } from "vitest";
import { committed, describeRule, sourceAt } from "./describe-rule";
import * as rules from "./import-rules";

test("there is source to judge", () => {
  expect(committed.filter(({ path: file }) => file.startsWith("app/")).length).toBeGreaterThan(0);
});

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

describeRule("features know db, access, text, gateways' ports and other features", rules.featuresKeepTheirPlace, {
  bad: {
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
});

describeRule("gateways know nothing of features", rules.gatewaysKnowNoFeature, {
  bad: {
    "app/gateways/sms/http.server.ts": `import type { Referral } from "~/features/referrals/model/referral";`,
    "app/gateways/sms/http.server.ts#route": `import { x } from "../../routes/login/route";`,
    "app/gateways/sms/http.server.ts#files": `import { storeUpload } from "~/files/store-file.server";`,
  },
  good: {
    "app/gateways/sms/http.server.ts": `import type { SmsGateway } from "./port"; import { phone } from "~/text/phone";`,
  },
});

describeRule("the server asks systems outside by fetchOutside", rules.serverFetchesByName, {
  bad: {
    "app/gateways/sms/http.server.ts": `const answer = await fetch(url, { method: "POST" });`,
    "app/features/a/read.server.ts": `export const read = () => fetch("https://eksempel.dk");`,
  },
  good: {
    "app/gateways/sms/http.server.ts": `import { fetchOutside } from "../http/fetch-outside.server"; const answer = await fetchOutside(url, {}); store.fetch(key);`,
    "app/components/uploads/announce.ts": `const answer = await fetch(endpoint);`,
  },
});

describeRule("lists know no feature", rules.listsKnowNoFeature, {
  bad: {
    "app/lists/rows.server.ts": `import { filters } from "~/features/referrals/list/filters";`,
    "app/lists/filters.ts": `import { useServerForm } from "~/http/forms/action-form";`,
  },
  good: {
    "app/lists/filters.ts": `import { can } from "~/access/permissions";`,
  },
});

describeRule("files know no feature", rules.filesKnowNoFeature, {
  bad: {
    "app/files/store-file.server.ts": `import { statuses } from "~/features/referrals/model/statuses";`,
    "app/files/store-file.server.ts#http": `import { errors } from "../http/errors";`,
  },
  good: {
    "app/files/store-file.server.ts": `import type { FileStore } from "~/gateways/file-store/port"; import { x } from "./file-name";`,
  },
});

describeRule("access knows no feature", rules.accessKnowsNoFeature, {
  bad: {
    "app/access/scope.server.ts": `import { statuses } from "~/features/referrals/model/statuses";`,
    "app/access/scope.server.ts#gateway": `import { send } from "~/gateways/email/port";`,
    "app/access/scope.server.ts#http": `import { errors } from "~/http/errors";`,
  },
  good: {
    "app/access/scope.server.ts": `import type { Db } from "~db/connection.server"; import { can } from "./permissions";`,
  },
});

describeRule("the web side knows operations, no feature's store and no database", rules.httpKeepsItsPlace, {
  bad: {
    "app/http/express/observation.server.ts#store": `import { listJobRuns } from "~/features/job-register/job-store.server";`,
    "app/http/runners/page.server.ts#db": `import { sql } from "~db/connection.server";`,
    "app/http/runners/page.server.ts#driver": `import { createS3 } from "~/gateways/file-store/s3.server";`,
    "app/http/runners/page.server.ts#route": `import { x } from "~/routes/login/form";`,
  },
  good: {
    "app/http/express/observation.server.ts": `import { sql } from "~db/connection.server";`,
    "app/http/runners/page.server.ts": `import { execute } from "~/access/operation.server"; import { readJobs } from "~/features/job-register/read-jobs.server"; import { StoreFull } from "~/gateways/file-store/port";`,
  },
});

describeRule("a job runs operations", rules.jobsKeepTheirPlace, {
  bad: {
    "app/jobs/loop.server.ts#store": `import { findReferral } from "~/features/referrals/store/referral-store.server";`,
    "app/jobs/loop.server.ts#gateway": `import { send } from "~/gateways/email/port";`,
  },
  good: {
    "app/jobs/loop.server.ts": `import { claimRun } from "~/features/job-register/job-store.server"; import { execute } from "~/access/operation.server";`,
  },
});

describeRule("formatting, streams and the database know nothing above them", rules.theGroundKnowsNothingAbove, {
  bad: {
    "app/text/dates.ts": `import { can } from "~/access/permissions";`,
    "app/streams/zip.server.ts": `import { storeUpload } from "~/files/store-file.server";`,
    "db/migrate.server.ts": `import { statuses } from "~/features/referrals/model/statuses";`,
  },
  good: {
    "app/text/dates.ts": `import { addDays } from "./calendar";`,
    "app/demo/bulk.server.ts": `import { statuses } from "~/features/referrals/model/statuses";`,
  },
});

describeRule("the store of referrals knows no screen", rules.referralStoreKnowsNoScreen, {
  bad: {
    "app/features/referrals/store/referral-store.server.ts": `import type { PatientForm } from "../wizard/patient-form.schema.server";`,
    "app/features/referrals/store/referral-store.server.ts#list": `import { filterCondition } from "~/lists/rows.server";`,
  },
  good: { "app/features/referrals/store/referral-store.server.ts": `import { facts } from "../model/facts";` },
});

describeRule("demo data are in a bundle of their own", rules.demoDataStaysOutside, {
  bad: { "app/cli/serve.server.ts": `import { makeDemoData } from "~/demo/demo-data.server";` },
  good: {
    "app/demo/demo-program.server.ts": `import { makeDemoData } from "./demo-data.server";`,
    "app/cli/run.server.ts": `const load = (url: string) => import(url) as Promise<typeof import("~/demo/demo-program.server")>;`,
  },
});

describeRule("a component knows no route", rules.componentsKeepTheirPlace, {
  bad: {
    "app/components/sign-in/code-form.tsx": `import type { loader } from "~/routes/login/route";`,
    "app/components/sign-in/code-form.tsx#store": `import { find } from "~/features/accounts/user-store.server";`,
  },
  good: {
    "app/components/sign-in/code-form.tsx": `import { statuses } from "~/features/referrals/model/statuses"; import { Button } from "~/ui/forms/button";`,
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
    "app/ui/lists/chip.tsx#features": `import { statuses } from "~/features/referrals/model/statuses";`,
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
    "app/reader-program.server.ts": `import { parentPort } from "node:worker_threads";`,
    "app/text/cpr.test.ts": `import path from "node:path";`,
  },
});

describe("import circles stay small", () => {
  const ring = (size: number) =>
    Array.from({ length: size }, (_, at) =>
      sourceAt(`app/text/file${at}.ts`, `import type { x } from "./file${(at + 1) % size}";`),
    );
  test("holds", () => {
    expect(rules.circlesStaySmall(committed).map(({ path: file, why }) => `${file} ${why}`)).toEqual([]);
  });
  test("bites from six files on", () => {
    expect(rules.circlesStaySmall(ring(6))).toHaveLength(6);
    expect(rules.circlesStaySmall(ring(5))).toEqual([]);
  });
});
