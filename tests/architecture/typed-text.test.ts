import { expect, test } from "vitest";
import type { z } from "zod";
import { declaredOperations } from "../support/declared-operations";

/** Fields that accept text unchanged, by name, with the reason. */
const RAW: Readonly<Record<string, string>> = {
  ...names("a password or a code", "currentPassword", "repeatPassword", "password", "code"),
  ...names(
    "made by the portal, and sealed, signed or looked up as it is",
    "token",
    "step",
    "round",
    "link",
    "answer",
    "returnAddress",
    "sealed",
    "session",
    "formKey",
    "cursor",
    "f",
    "e",
    "sort",
    "picks",
  ),
  ...names("a path of the portal's own, checked as one", "to", "here", "next"),
  ...names(
    "names a file that is stored already, by what the portal wrote of it",
    "storageKey",
    "fileName",
    "mime",
    "sha256",
    "hash",
    "dicomCprHash",
    "dicomFactsEncrypted",
    "dicomInstanceHash",
    "owner",
  ),
  ...names("a number that another system knows a message by", "eventId", "letterId", "key"),
  ...names("a button that was pressed", "wasAsked"),
};

const RAW_FIELDS: Readonly<Record<string, string>> = {
  ...names(
    "a whole form, sealed and given back as it was typed",
    "sealFormUntilAccepted{}",
    "sealPendingForm{}",
    "chooseLightEdition{}",
    "chooseFullEdition{}",
    "closeInfoPopup{}",
    "closeBrowserWarning{}",
  ),
  ...names("half-typed text, kept and given back as it was typed", "saveAutosave.*"),
  ...names("read once more by the schemas of the forms", "saveVisit.fields{}"),
  ...names(
    "read as days; what is none stands in its field again",
    "readLetterArchive.from",
    "readStatistics.from",
    "holdReferral.until",
  ),
  ...names("compared with the months that have a sample", "readAccessSample.month"),
  ...names("a patient's number, judged by parseCpr", "saveAutosave.typedFor"),
  ...names(
    "compared with what the page has written itself",
    "registerCar.notFoundPlate",
    "setAllRadiographTypes.ofForm",
    "placeSms.choice",
    "signInAsDemo.account",
  ),
  ...names("a mark that the page sends", "listReferrals.more", "saveAutosave.continued", "discardAutosave.isShown"),
  ...names(
    "handed on to the schemas of what the page shows",
    "startImport.*",
    "readSettingsPage.page",
    "readSmsPage.page",
    "readSmsPage.openId",
    "readReceiptPage.*",
    "readWizardPage.*",
  ),
  ...names("the browser's own", "readShell.userAgent", "readShell.cookies"),
  ...names(
    "the portal's own words",
    "copies.noteBackup.by",
    "copies.noteRestore.by",
    "copies.noteRestore.madeAt",
    "copies.resumeSending.by",
    "reminders.noteUnsent.why",
    "stageUploads.files[].field",
  ),
  ...names("the number that the sender's browser gave an upload", "sendings.giveUpAwaited.uploadId"),
  ...names("a file's name in the folder, by which it is known there", "edi.receiveFile.name"),
};

function names(why: string, ...fields: string[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, why]));
}

/** Each has a decomposed letter and a direction mark, and is a plausible name, address, number or word. */
const PROBES = [
  "A\u030a\u202e",
  "a\u030a\u202e@eksempel.dk",
  "a\u202e@eksempel.dk",
  "40123456\u202e",
  "1\u202e",
  "a\u030a/1\u202e",
];
const isUnclean = (value: unknown) => /\u202e|A\u030a|a\u030a/.test(JSON.stringify(value) ?? "");

interface Definition {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  options?: z.core.$ZodType[];
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  catchall?: z.core.$ZodType;
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
}
const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as unknown as Definition;

/** Paths of a schema's fields that return text unchanged. */
function uncleanFields(schema: z.core.$ZodType, path: string, readBy: z.core.$ZodType[] = []): string[] {
  const {
    type,
    shape,
    catchall,
    options,
    element,
    valueType,
    innerType,
    left,
    right,
    in: from,
    out,
  } = definitionOf(schema);
  if (shape !== undefined)
    return [
      ...Object.entries(shape).flatMap(([name, field]) => uncleanFields(field, `${path}.${name}`)),
      ...(catchall === undefined ? [] : uncleanFields(catchall, `${path}.*`)),
    ];
  const parts = [...(options ?? []), ...(left ? [left] : []), ...(right ? [right] : [])];
  if (parts.length > 0) return parts.flatMap((part) => uncleanFields(part, path, readBy));
  if (element !== undefined) return uncleanFields(element, `${path}[]`);
  if (valueType !== undefined) return uncleanFields(valueType, `${path}{}`);
  // An outer schema may clean the text, so it is tested first.
  if (innerType !== undefined) return uncleanFields(innerType, path, [...readBy, schema]);
  if (type === "pipe")
    return uncleanFields(definitionOf(out!).type === "transform" ? from! : out!, path, [...readBy, schema]);
  const [outermost = schema] = readBy;
  return PROBES.some((probe) => isUnclean((outermost as z.ZodType).safeParse(probe).data)) ? [path] : [];
}

const found = [...new Set(declaredOperations.flatMap(({ name, input }) => uncleanFields(input, name)))];
/** `name` of `operation.list[].name`; `[]` for a list of texts. */
const lastNameOf = (path: string) => /\w+$|\W+$/.exec(path)![0];

test("an operation's text is read by the one door, or with a reason", () => {
  expect(found.filter((path) => !(lastNameOf(path) in RAW) && !(path in RAW_FIELDS))).toEqual([]);
});

test("every listed field takes text as it is sent", () => {
  expect(Object.keys(RAW).filter((name) => !found.some((path) => lastNameOf(path) === name))).toEqual([]);
  expect(Object.keys(RAW_FIELDS).filter((path) => !found.includes(path))).toEqual([]);
});

test("the fields of nested, joined and repeated schemas are found", async () => {
  const { z } = await import("zod");
  const { line, text } = await import("~/text/fields.server");
  const schema = z.object({
    clean: text(9).optional(),
    raw: z.string(),
    later: z.string().optional().pipe(z.string()),
    list: z.array(z.object({ raw: z.string().max(5).nullish(), clean: line })),
    either: z.union([z.object({ one: z.string() }), z.object({ other: line })]),
    number: z.string().regex(/^\d+$/),
    any: z.unknown(),
  });
  expect(uncleanFields(schema, "op")).toEqual(["op.raw", "op.later", "op.list[].raw", "op.either.one", "op.any"]);
});
