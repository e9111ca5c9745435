import type { DbOrTx } from "~db/connection.server";
import {
  findTreatmentTypes,
  hideTreatmentType,
  insertTreatmentType,
  restoreTreatmentType,
  type TreatmentType,
  updateTreatmentType,
} from "~/features/referrals/store/treatment-store.server";
import { z } from "zod";
import { change, nothingChanged, read, wholeNumber } from "~/access/operation.server";
import { type Edit, hasValues, rowIdIn } from "~/access/edit.server";
import { Refusal } from "~/access/refusal";
import { paths, serverPaths } from "~/paths";
import { requiredText, text } from "~/text/fields.server";
import { searchKey } from "~/text/names";
import { can } from "~/access/permissions";
import { treatmentTypeValues } from "./treatment-type-values";

const splitCodes = (list: string): string[] => [
  ...new Set(
    list
      .split(/[,;]/)
      .map((code) => code.trim())
      .filter((code) => code !== ""),
  ),
];

/** Maps external codes to treatment types; each code belongs to one type. */
export async function findTreatmentCodes(db: DbOrTx): Promise<Map<string, { id: number; name: string }>> {
  const types = await findTreatmentTypes(db);
  return new Map(
    types.flatMap(({ id, name, externalCodes }) =>
      splitCodes(externalCodes).map((code) => [code, { id, name }] as const),
    ),
  );
}

const NAME_MISSING = "Skriv behandlingstypens navn.";
const typeName = requiredText(NAME_MISSING, 200);

const taken = (field: string, message: string) =>
  new Refusal("invalid", { text: message, fields: { [field]: [message] } });

const webAddress = z.url({
  protocol: /^https$/,
  error: "Skriv linket med https:// foran, eller lad feltet stå tomt.",
});

const gone = () => new Refusal("notInScope", { text: "Behandlingstypen findes ikke længere." });

function refuseSameName(types: readonly TreatmentType[], wanted: string, except: number | null) {
  const same = types.find((type) => type.id !== except && searchKey(type.name) === searchKey(wanted));
  if (same) throw taken("name", `Der findes allerede en behandlingstype med navnet ${same.name}.`);
}

/** 'tilføj'; restores a deleted type of that name. Throws `invalid` if the name is taken. */
export const addTreatmentType = change({
  name: "addTreatmentType",
  permission: "settings.manage",
  input: z.object({ name: typeName }),
  async run({ tx, auditChange }, input) {
    refuseSameName(await findTreatmentTypes(tx), input.name, null);
    const id = (await restoreTreatmentType(tx, input.name)) ?? (await insertTreatmentType(tx, input.name));
    auditChange([], `treatment type ${id} added`);
    return {
      to: serverPaths.treatmentType(id),
      flash: { tone: "success", text: `Behandlingstypen ${input.name} er tilføjet.` },
    };
  },
});

function typeAmong(types: readonly TreatmentType[], id: number): TreatmentType {
  const type = types.find((each) => each.id === id);
  if (!type) throw gone();
  return type;
}

const treatmentTypeEdit: Edit = {
  async read({ db }, field) {
    const type = typeAmong(await findTreatmentTypes(db), rowIdIn(field("treatmentTypeId")));
    return { values: treatmentTypeValues(type), version: type.version };
  },
};

/**
 * 'GEM': saves name, codes of the appointment system, and patient link. A code belongs to one type. Throws `invalid`,
 * `notInScope`, and `conflict` if changed meanwhile.
 */
export const saveTreatmentType = change({
  name: "saveTreatmentType",
  permission: "settings.manage",
  edit: treatmentTypeEdit,
  input: z.object({
    treatmentTypeId: wholeNumber,
    seenVersion: wholeNumber.optional(),
    name: typeName,
    externalCodes: text(400)
      .optional()
      .transform((list) => splitCodes(list ?? "")),
    recommendationLink: text(500)
      .pipe(z.union([z.literal(""), webAddress]))
      .optional()
      .transform((link) => link || null),
  }),
  async run(context, { treatmentTypeId: id, seenVersion, ...input }) {
    const { tx, auditChange } = context;
    const types = await findTreatmentTypes(tx);
    const before = typeAmong(types, id);
    refuseSameName(types, input.name, id);
    for (const other of types) {
      const shared =
        other.id === id
          ? undefined
          : splitCodes(other.externalCodes).find((code) => input.externalCodes.includes(code));
      if (shared !== undefined) throw taken("externalCodes", `Koden ${shared} hører allerede til ${other.name}.`);
    }
    const values = { ...input, externalCodes: input.externalCodes.join(",") };
    const version = seenVersion ?? before.version;
    if (version === before.version && hasValues(before, values))
      return { to: paths.settings, ...nothingChanged(context) };
    if (!(await updateTreatmentType(tx, id, { ...values, seenVersion: version })))
      throw new Refusal("conflict", {
        text: "Behandlingstypen er ændret, siden du åbnede den. Se den nye udgave, og prøv igen.",
      });
    auditChange([], `treatment type ${id} changed`);
    return { to: paths.settings, flash: { tone: "success", text: `Behandlingstypen ${input.name} er gemt.` } };
  },
});

const one = z.object({ treatmentTypeId: wholeNumber });

/** 'slette': no longer offered, and its codes are free; referrals keep it. Throws `notInScope`. */
export const deleteTreatmentType = change({
  name: "deleteTreatmentType",
  permission: "settings.manage",
  input: one,
  async run({ tx, now, auditChange }, { treatmentTypeId: id }) {
    const type = typeAmong(await findTreatmentTypes(tx), id);
    await hideTreatmentType(tx, id, now);
    auditChange([], `treatment type ${id} deleted`);
    return {
      to: paths.settings,
      flash: { tone: "success", text: `Behandlingstypen ${type.name} er slettet.` },
    };
  },
});

export const listSelectableTreatments = (db: DbOrTx) => findTreatmentTypes(db);

/** Treatment types without -100 (GET /TreatmentTypes); editors also get codes and links. */
export const listTreatmentTypes = read({
  name: "listTreatmentTypes",
  permission: "referral.read",
  async run({ db, actor }) {
    const types = await findTreatmentTypes(db);
    return {
      treatmentTypes: types.map(({ id, name, ...settings }) => ({
        id,
        name,
        ...(can(actor, "settings.manage") ? { settings } : {}),
      })),
    };
  },
});
