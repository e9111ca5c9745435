import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import { refusedFileTexts } from "~/access/caller";
import { external, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { uploadOf } from "~/files/file-rules";
import { paths } from "~/paths";
import { importKindNames, importKinds } from "./import-columns";
import { planImport } from "./plan-import.server";
import { DIRECTORY_FIELD, readImportFile } from "./staged-import.server";

const PAGE = 100;

/** The upload, and the dry run of the file that waits under a form's key. Lines that are wrong come first. */
export const readDirectoryImport = read({
  name: "readDirectoryImport",
  permission: "directory.manageAll",
  input: z.object({
    kind: z.enum(importKindNames).catch("klinikker"),
    formKey: z.string().max(64).nullish(),
    page: z.coerce.number().int().min(1).catch(1),
  }),
  async run({ db, portal, person }, { kind, formKey, page }) {
    if (!formKey) return { kind, isGone: false, dryRun: null };
    const file = await readImportFile(db, portal.files, person.id, formKey);
    const plan = file && (await planImport(db, kind, file.bytes));
    if (!file || !plan || "error" in plan) return { kind, isGone: true, dryRun: null };
    const count = (outcome: string) => plan.lines.filter((line) => line.outcome === outcome).length;
    const lines = [
      ...plan.lines.filter(({ outcome }) => outcome === "wrong"),
      ...plan.lines.filter(({ outcome }) => outcome !== "wrong"),
    ];
    const pageCount = Math.max(1, Math.ceil(lines.length / PAGE));
    const shown = Math.min(page, pageCount);
    return {
      kind,
      isGone: false,
      dryRun: {
        formKey,
        fileName: file.fileName,
        digest: plan.digest,
        counts: { new: count("new"), there: count("there"), wrong: count("wrong") },
        canMail: isChannelSet(portal, "email"),
        page: shown,
        pageCount,
        lines: lines.slice((shown - 1) * PAGE, shown * PAGE),
      },
    };
  },
});

/** 'Vis, hvad filen vil gøre': keeps the file for its form, and leads to the dry run. Throws `fileRefused` and `invalid`. */
export const uploadDirectory = external({
  name: "uploadDirectory",
  permission: "directory.manageAll",
  uploads: { [DIRECTORY_FIELD]: uploadOf("directory") },
  input: z.object({ formKey: z.string().max(64), kind: z.enum(importKindNames, "Vælg, hvad filen holder.") }),
  async prepare({ portal, db, person, caller }, { formKey, kind }) {
    const fields = refusedFileTexts(caller.files);
    if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
    const file = await readImportFile(db, portal.files, person.id, formKey);
    if (!file) throw new Refusal("invalid", { fields: { DirectoryFile: ["Vælg en CSV-fil."] } });
    const plan = await planImport(db, kind, file.bytes);
    if ("error" in plan) throw new Refusal("invalid", { fields: { DirectoryFile: [plan.error] } });
  },
  run: async (_context, { formKey, kind }) => ({ to: paths.directoryDryRun(kind, formKey) }),
});

/** The columns of a file, as every CSV of the portal: UTF-16LE with a byte order mark, tabs, CRLF. */
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
