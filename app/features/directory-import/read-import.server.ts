import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import { refusedFileTexts } from "~/access/caller";
import { external, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { readCsvFile } from "~/files/csv-job";
import { uploadOf } from "~/files/file-rules";
import { mapInSlices } from "~/files/reading/in-slices";
import { claimStagedFiles, findStagedFiles, withStagedFile } from "~/files/staging/staged-upload-store.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { paths } from "~/paths";
import { importKindNames, importKinds } from "./import-columns";
import { findDirectoryPlan, insertDirectoryPlan } from "./store.server";
import { judgeLines } from "./plan-import.server";
import { directoryCsv, readLines } from "./read-lines.server";

const PAGE = 100;
const LINES_PER_SLICE = 50;

const FILE_FIELD = "DirectoryFile";

/** The upload page or a stored dry run; wrong lines come first. */
export const readDirectoryImport = read({
  name: "readDirectoryImport",
  permission: "directory.manageAll",
  input: z.object({
    kind: z.enum(importKindNames).catch("klinikker"),
    planId: z.coerce.number().int().positive().nullable().catch(null),
    page: z.coerce.number().int().min(1).catch(1),
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
 * 'Vis, hvad filen vil gøre': stores the effect of each line and redirects to it; the file is discarded. Throws
 * `fileRefused` and `invalid`.
 */
export const uploadDirectory = external({
  name: "uploadDirectory",
  permission: "directory.manageAll",
  uploads: { [FILE_FIELD]: uploadOf("directory") },
  input: z.object({ formKey: z.string().max(64), kind: z.enum(importKindNames, "Vælg, hvad filen holder.") }),
  async prepare({ portal, db, person, caller }, { formKey, kind }) {
    const fields = refusedFileTexts(caller.files);
    if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
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
    const staged = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: [FILE_FIELD] }, now);
    await discardStoredFiles(
      tx,
      staged.map(({ storedFileId }) => storedFileId),
      now,
    );
    const planId = await insertDirectoryPlan(tx, portal.secrets, { userId: person.id, kind, fileName, lines, now });
    return { to: paths.directoryDryRun(planId) };
  },
});

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
