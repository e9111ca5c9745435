import { z } from "zod";
import {
  change,
  type ChangeContext,
  execute,
  external,
  plainInput,
  type ReadContext,
  wholeNumber,
  keyedForm,
  ofReferral,
} from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { arrivedType, isMistyped, typesFor, uploadOf } from "~/files/file-rules";
import { typeQuestionText } from "~/files/file-texts";
import { claimStagedFiles, type StagedFile } from "~/files/staging/staged-upload-store.server";
import { attachRadiographs, attachStored } from "./attach-radiographs.server";
import { chosenTypes, radiographType, retypeChosen, typesOfImages } from "./change-radiographs.server";
import { settleLine } from "~/features/referrals/material/answer-material.server";
import { findLineOf } from "~/features/referrals/store/material-store.server";
import { WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import type { ScopedReferralId } from "~/access/scope.server";
import { recordOutcome } from "~/files/staging/partial-upload-store.server";
import { findSentOrDraft, lockReferralRow } from "~/features/referrals/store/referral-store.server";

/** A form with images: referral, staged uploads, and their type (0 to 4); a file that cannot have it gets its own. */
export const radiographsInput = ofReferral.extend({
  ...keyedForm.shape,
  radiographType: radiographType.default(0),
  fileTypes: z.record(z.string(), radiographType).optional(),
  materialLineId: wholeNumber.optional(),
  ...typesOfImages,
});

export const radiographUploads = { radiographs: { ...uploadOf("radiograph"), unpacks: true } };

/**
 * Adds images to a referral with the chosen type (step 3). Refused files are named, one line each; the others are kept.
 * Throws `fileRefused`, `invalid` without a file, and `notInScope`.
 */
export const addRadiographs = external({
  name: "addRadiographs",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: radiographsInput,
  uploads: radiographUploads,
  async prepare(context, input) {
    const added = await attachOrRefuse(context, input);
    if (added === 0)
      throw new Refusal("invalid", {
        text: "Vælg en eller flere filer først.",
        fields: { radiographs: ["Vælg en eller flere filer."] },
      });
    return added;
  },
  async run(_context, _input, added) {
    return {
      flash: {
        tone: "success",
        text: added === 1 ? "Billedet er modtaget." : `${added} billeder er modtaget.`,
      },
    };
  },
});

/**
 * 'Skift type' without JavaScript: saves the types in the list, and adds files chosen in the same form. Throws
 * `fileRefused` and `notInScope`.
 */
export const setRadiographTypes = external({
  name: "setRadiographTypes",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: radiographsInput,
  prepare: attachOrRefuse,
  async run() {
    return {};
  },
});

/** Attaches staged uploads and saves types; returns how many were added. Throws `fileRefused` if any failed. */
async function attachOrRefuse(context: ReadContext, input: z.output<typeof radiographsInput>): Promise<number> {
  const { added, refused, duplicates, asked, unnamed } = await attachStagedFiles(context, input);
  const lines = [...refused, ...duplicates];
  if (lines.length + asked.length > 0) throw filesRefused(lines, { added, asked, unnamed });
  return added;
}

/**
 * Refusal of some files: a counting sentence, a line each, and a question about those in `asked` that are present
 * already; `unnamed` ones share a line.
 */
export function filesRefused(
  lines: string[],
  { added, asked, unnamed }: { added: number; asked: string[]; unnamed: number },
): Refusal {
  const question = asked.length === 0 ? [] : [typeQuestionText(asked)];
  if (lines.length === 0)
    return new Refusal("fileRefused", { text: "Kontrollér billedtypen.", fields: { radiographs: question } });
  const refused = lines.length + unnamed;
  const count = refused === 1 ? "1 fil er ikke modtaget." : `${refused} filer er ikke modtaget.`;
  const rest = added === 0 ? "" : added === 1 ? " Den anden er modtaget." : ` De ${added} andre er modtaget.`;
  return new Refusal("fileRefused", { text: count + rest, fields: { radiographs: [...lines, ...question] } });
}

interface Attached {
  added: number;
  refused: string[];
  duplicates: string[];
  asked: string[];
  unnamed: number;
}

/**
 * Attaches staged uploads and saves types in a transaction of its own, so that later failures do not undo it. Returns a
 * line per refused and per duplicate file, and the names of pictures sent as DICOM.
 */
export const attachArrived = change({
  name: "attachArrived",
  permission: "referral.write",
  input: radiographsInput,
  async run(context, { referralId, formKey, radiographType: ofAll, fileTypes = {}, materialLineId, ...types }) {
    const { tx, person, now, caller, auditChange } = context;
    await lockReferralRow(tx, referralId);
    const referral = await findSentOrDraft(tx, person, referralId);
    await retypeChosen(context, referral, chosenTypes(types));
    const staged = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: ["radiographs"] }, now);
    const lineId = materialLineId === undefined ? null : await findLineOf(tx, referral.id, materialLineId);
    const typed = staged.map((file) => ({
      ...file,
      radiographType: typeOf(file.fileName, fileTypes[file.id], ofAll),
      materialLineId: lineId,
    }));
    const outcomes = await attachRadiographs(context, referral, typed, person.id);
    if (lineId !== null) await settleLine(context, referral.id, lineId);
    const added = outcomes.filter(({ refused }) => refused === null).length;
    const line = (file: { fileName: string }, text: string) => `${file.fileName}: ${text}`;
    const refused = [
      ...(caller.files?.refused ?? []).map((file) => line(file, file.text)),
      ...outcomes
        .filter((outcome) => outcome.refused !== null && !outcome.isDuplicateFile)
        .map((outcome) => line(outcome.file, outcome.refused!)),
    ];
    const duplicates = outcomes
      .filter(({ isDuplicateFile }) => isDuplicateFile)
      .map((outcome) => line(outcome.file, outcome.refused!));
    const asked = staged.filter(
      (file, index) =>
        outcomes[index]!.refused === null && fileTypes[file.id] === undefined && isMistyped(file.fileName, ofAll),
    );
    const unnamed = (caller.files?.refused ?? []).reduce((sum, { count = 1 }) => sum + count - 1, 0);
    auditChange([referralId], `${added} files`);
    return {
      data: { added, refused, duplicates, asked: asked.map(({ fileName }) => fileName), unnamed } satisfies Attached,
    };
  },
});

export async function attachStagedFiles(
  { portal, caller }: ReadContext,
  input: z.output<typeof radiographsInput>,
): Promise<Attached> {
  const { data: found } = await execute(portal, caller, attachArrived, plainInput(input));
  return found as unknown as Attached;
}

/** A picture with an explicit type it cannot have is refused, because an API client cannot be asked. */
const typeOf = (fileName: string, own: number | undefined, ofAll: number) =>
  own !== undefined && typesFor(fileName).length > 1 ? own : arrivedType(fileName, own ?? ofAll);

/** Attaches images that arrived before their form was saved to the draft; upload records name their image. */
export async function attachFormImages(
  context: ChangeContext,
  referralId: ScopedReferralId,
  staged: readonly StagedFile[],
  typeOfAll = 0,
): Promise<void> {
  const images = staged
    .filter(({ kind }) => kind === "radiograph")
    .map((file) => ({ ...file, radiographType: file.radiographType ?? arrivedType(file.fileName, typeOfAll) }));
  if (images.length === 0) return;
  const referral = await findSentOrDraft(context.tx, context.actor, referralId);
  for (const { file, refused, fileId } of await attachStored(context, referral, images, context.person.id))
    await recordOutcome(context.tx, {
      id: file.storageKey,
      state: refused === null ? "kept" : "refused",
      refusal: refused,
      referralFileId: fileId,
    });
}
