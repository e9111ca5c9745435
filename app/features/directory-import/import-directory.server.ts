import { invalidateDirectory } from "~/features/directory/operations.server";
import { z } from "zod";
import {
  change,
  type ChangeContext,
  external,
  read,
  wholeNumber,
  succeeded,
  keyedForm,
} from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import { insertClinic } from "~/features/directory/store.server";
import { addUser } from "~/features/people/create-user.server";
import { flag } from "~/features/people/user.schema.server";
import { paths } from "~/paths";
import { findDirectoryPlan, insertDirectoryPlan, lockDirectoryPlan, updateDirectoryPlan } from "./store.server";
import { directoryCsv, judgeLines, type KeptLine, readLines } from "./plan-import.server";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { refuseBadFiles } from "~/access/caller";
import { readCsvFile } from "~/files/csv-job";
import { uploadOf } from "~/files/file-rules";
import { mapInSlices } from "~/files/reading/in-slices";
import { findStagedFiles, withStagedFile, claimAndDiscard } from "~/files/staging/staged-upload-store.server";
import { importKindNames, importKinds } from "./import-columns";

/**
 * 'Importér': creates in one transaction what the dry run showed as new and, if chosen, mails new users their link. A
 * line whose effect has changed is shown again instead. Repeating the form imports once. Throws `invalid` when the dry
 * run is gone.
 */
export const importDirectory = change({
  name: "importDirectory",
  permission: "directory.manageAll",
  idempotent: true,
  input: z.object({ planId: wholeNumber, sendLinks: flag }),
  async run(context, { planId, sendLinks }) {
    const { tx, portal, person, now, auditChange } = context;
    const plan = await lockDirectoryPlan(tx, portal.secrets, { id: planId, userId: person.id, now });
    if (!plan)
      throw new Refusal("invalid", { text: "Prøvekørslen findes ikke længere. Vælg filen igen; intet er importeret." });
    const { kind, lines: shown } = plan;
    const again = await judgeLines(tx, kind, shown.map(readAgain));
    const isAsShown = (line: KeptLine, at: number) => isSame(line, shown[at]!);
    const lines = again.filter((line, at) => isAsShown(line, at) && line.outcome === "new");
    const changed = again
      .filter((line, at) => !isAsShown(line, at))
      .map((line): KeptLine => ({ ...line, isShownAgain: true }));
    await makeAll(context, lines, sendLinks);
    await updateDirectoryPlan(tx, portal.secrets, planId, changed);
    auditChange([], `${kind} imported from a file: ${lines.length}`);
    const canMail = isChannelSet(portal, "email");
    const text = resultText({ made: lines, all: shown.length, changed: changed.length, sendLinks, canMail });
    if (changed.length > 0) return { to: paths.directoryDryRun(planId), flash: { tone: "info", text } };
    return { to: kind === "klinikker" ? paths.clinics : paths.users, ...succeeded(text) };
  },
});

const readAgain = ({ line, name, value, errors }: KeptLine) => ({ line, name, value, errors });

const isSame = (one: KeptLine, other: KeptLine) =>
  one.outcome === other.outcome &&
  ("clinicId" in one ? one.clinicId : null) === ("clinicId" in other ? other.clinicId : null);

async function makeAll(context: ChangeContext, lines: readonly KeptLine[], isInvited: boolean): Promise<void> {
  for (const line of lines) {
    if (line.kind === "klinikker") await insertClinic(context.tx, line.value!, context.now);
    else {
      const { clinicName: _title, ...user } = line.value!;
      await addUser(context, { ...user, isStaff: false, clinicIds: [line.clinicId!], isInvited });
    }
  }
  invalidateDirectory(context);
}

const MAILED = "De nye brugere får en mail med et link.";
const NOT_MAILED = "Mail er ikke indstillet, så der er ikke sendt noget link. Send det fra hver bruger, når det er.";

function resultText({
  made,
  all,
  changed,
  sendLinks,
  canMail,
}: {
  made: readonly KeptLine[];
  all: number;
  changed: number;
  sendLinks: boolean;
  canMail: boolean;
}): string {
  const left = all - made.length - changed;
  return [
    `${made.length} af ${all} linjer er importeret.`,
    sendLinks && made.some(({ kind }) => kind === "henvisere") ? (canMail ? MAILED : NOT_MAILED) : [],
    left > 0 ? `${left} er sprunget over, som prøvekørslen sagde.` : [],
    changed > 0
      ? `${changed} er vurderet igen, fordi portalen er ændret siden prøvekørslen: se ${changed === 1 ? "den" : "dem"} her.`
      : [],
  ]
    .flat()
    .join(" ");
}

const PAGE = 100;
const LINES_PER_SLICE = 50;

const FILE_FIELD = "DirectoryFile";

/**
 * The upload page, or a page of a stored dry run, wrong lines first. `isGone`: imported, expired or another person's.
 */
export const readDirectoryImport = read({
  name: "readDirectoryImport",
  permission: "directory.manageAll",
  input: z.object({
    kind: z.enum(importKindNames).catch("klinikker"),
    planId: wholeNumber.positive().nullable().catch(null),
    page: wholeNumber.min(1).catch(1),
  }),
  async run({ db, portal, person, now }, { kind, planId, page }) {
    if (planId === null) return { kind, isGone: false, dryRun: null };
    const plan = await findDirectoryPlan(db, portal.secrets, { id: planId, userId: person.id, now });
    if (!plan) return { kind, isGone: true, dryRun: null };
    const count = (outcome: string) => plan.lines.filter((line) => line.outcome === outcome).length;
    const lines = [
      ...plan.lines.filter(({ outcome }) => outcome === "wrong"),
      ...plan.lines.filter(({ outcome }) => outcome !== "wrong"),
    ];
    const pageCount = Math.max(1, Math.ceil(lines.length / PAGE));
    const shown = Math.min(page, pageCount);
    return {
      kind: plan.kind,
      isGone: false,
      dryRun: {
        planId,
        fileName: plan.fileName,
        isShownAgain: lines.some(({ isShownAgain }) => isShownAgain),
        counts: { new: count("new"), there: count("there"), wrong: count("wrong") },
        canMail: isChannelSet(portal, "email"),
        page: shown,
        pageCount,
        lines: lines
          .slice((shown - 1) * PAGE, shown * PAGE)
          .map(({ line, name, outcome, errors, isShownAgain }) => ({ line, name, outcome, errors, isShownAgain })),
      },
    };
  },
});

/**
 * 'Se, hvad der bliver ændret': stores the effect of each line and redirects to it; the file is discarded. Throws
 * `fileRefused` and `invalid`.
 */
export const uploadDirectory = external({
  name: "uploadDirectory",
  permission: "directory.manageAll",
  uploads: { [FILE_FIELD]: uploadOf("directory") },
  input: keyedForm.extend({ kind: z.enum(importKindNames, "Vælg, hvad filen holder.") }),
  async prepare({ portal, db, person, caller }, { formKey, kind }) {
    refuseBadFiles(caller);
    const file = (await findStagedFiles(db, person.id, formKey, FILE_FIELD)).at(-1);
    if (!file) throw new Refusal("invalid", { fields: { DirectoryFile: ["Vælg en CSV-fil."] } });
    const csv = await withStagedFile(db, portal.files, file, (path) =>
      readCsvFile(portal.readers, path, directoryCsv(kind), person),
    );
    if ("error" in csv) throw new Refusal("invalid", { fields: { DirectoryFile: [csv.error] } });
    const lines = await mapInSlices(csv.rows, LINES_PER_SLICE, (slice) => readLines(kind, slice));
    return { fileName: file.fileName, lines: await judgeLines(db, kind, lines) };
  },
  async run({ tx, portal, person, now }, { formKey, kind }, { fileName, lines }) {
    await claimAndDiscard(tx, { ownerId: person.id, formKey, fields: [FILE_FIELD] }, now);
    const planId = await insertDirectoryPlan(tx, portal.secrets, { userId: person.id, kind, fileName, lines, now });
    return { to: paths.directoryDryRun(planId) };
  },
});

/** The header line in UTF-16LE with tabs, which Excel opens in columns. */
export const downloadImportTemplate = read({
  name: "downloadImportTemplate",
  permission: "directory.manageAll",
  input: z.object({ kind: z.enum(importKindNames).catch("klinikker") }),
  async run(_context, { kind }) {
    const titles = importKinds[kind].columns.map(([title]) => title);
    const text = stringify([titles], { delimiter: "\t", record_delimiter: "windows" });
    return {
      fileName: `${kind}.csv`,
      mime: "text/csv; charset=utf-16le",
      disposition: "attachment" as const,
      open: () => Readable.from([Buffer.from(`\ufeff${text}`, "utf16le")]),
    };
  },
});
