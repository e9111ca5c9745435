import { describeRule } from "./describe-rule";
import * as rules from "./operation-rules";

describeRule("an operation declares its permission", rules.operationsSayWhoMay, {
  bad: {
    "app/features/a/b.server.ts#change": `import { change } from "~/access/operation.server"; export const b = change({ name: "b", run() {} });`,
    "app/features/a/b.server.ts#renamed": `import { read as query } from "../../access/operation.server"; export const b = query({ name: "b" });`,
    "app/features/a/b.server.ts#look-up": `import { lookUp } from "~/access/operation.server"; export const b = lookUp({ name: "b" });`,
    "app/features/a/b.server.ts#list": `import { defineListPage } from "~/lists/list-page.server"; export const { read: b } = defineListPage({ name: "b" });`,
    "app/features/a/b.server.ts#variable": `import { external } from "~/access/operation.server"; export const b = external(declaration);`,
  },
  good: {
    "app/features/a/b.server.ts": `import { change } from "~/access/operation.server"; export const b = change({ permission: "public", run() {} });`,
    "app/features/a/b.server.ts#another": `import { read } from "./file"; export const b = read("x");`,
  },
});

describeRule("a file that writes a patient's columns follows the change", rules.patientChangesAreFollowed, {
  bad: {
    "app/features/referrals/wizard/b.server.ts": `import { updatePatientPart } from "../store/referral-store.server";`,
    "app/features/edi/b.server.ts": `import { cprColumns } from "~/features/referrals/store/referral-store.server";`,
  },
  good: {
    "app/features/referrals/wizard/b.server.ts": `import { updatePatientPart } from "../store/referral-store.server"; import { changePatient } from "../details/change-patient.server";`,
    "app/features/referrals/wizard/c.server.ts": `import { insertDraft } from "../store/referral-store.server";`,
  },
});

describeRule("operations answer values, and pages make the words", rules.operationsAnswerValues, {
  bad: {
    "app/features/a/read.server.ts#date": `import { toMoment, showDate } from "~/text/dates";`,
    "app/features/a/read.server.ts#renamed": `import { showDateTime as at } from "~/text/dates";`,
    "app/features/a/read.server.ts#relative": `import { showDay } from "../../text/dates";`,
    "app/features/a/read.server.ts#all": `import * as dates from "~/text/dates";`,
    "app/features/a/read.server.ts#price": `import { showPrice } from "~/text/numbers";`,
    "app/features/a/read.server.ts#status": `import { statusLabel } from "~/features/referrals/model/status";`,
    "app/features/a/read.server.ts#chips": `import { presentFilter } from "~/lists/filters";`,
    "app/lists/read.server.ts": `import { showCount } from "~/text/numbers";`,
  },
  good: {
    "app/features/a/read.server.ts": `import { toMoment, localDate } from "~/text/dates"; import { parsePrice } from "~/text/numbers"; import { visibleStatus } from "~/features/referrals/model/status";`,
    "app/features/a/welcome-mail.server.ts": `import { showDateTime } from "~/text/dates";`,
    "app/features/a/receipt-pdf-sheet.server.ts": `import { showDate } from "~/text/dates";`,
    "app/routes/login/present.ts": `import { showDate } from "~/text/dates";`,
    "app/features/a/read.test.ts": `import { showDate } from "~/text/dates";`,
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
    "app/routes/login/route.tsx": `import { runCommand, runPage } from "~/http/runners/page.server";
      export const loader = async (args) => { const data = await runPage(args, x); return data; };
      export const action = ((args) => runCommand(args, { x })) satisfies ActionFunction; export const meta = () => [];`,
    "app/routes/login/form.tsx": `export const Form = () => null;`,
  },
});
