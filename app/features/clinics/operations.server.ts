import { z } from "zod";
import { invalidateDirectory, refuseAnotherClinic } from "~/features/directory/operations.server";
import { change, keyedForm, nothingChanged, read, succeeded, wholeNumber } from "~/access/operation.server";
import { type Edit, hasValues, rowIdIn } from "~/access/edit.server";
import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { ACTIVE, activityLabel } from "~/features/directory/activity";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { insertClinic } from "~/features/directory/store.server";
import { picksIn } from "~/features/merging/merge-words";
import { mergeForm } from "~/features/merging/merge-form.schema.server";
import { beginMerge } from "~/features/merging/operations.server";
import { countMoving, findWinnerValues, MAX_COUNTED } from "~/features/merging/store.server";
import { controlsOf, paths, serverPaths } from "~/paths";
import { fullName } from "~/text/names";
import {
  findClinicInScope,
  findClinicsToMerge,
  findMembers,
  lockClinicsToMerge,
  updateClinicRow,
} from "./store.server";
import { optionalMobilePhone, requiredEmail, requiredLine, requiredPhone } from "~/text/fields.server";
import { type DbOrTx, idsOf } from "~db/connection.server";
import { clinicValues } from "./clinic-values";

export const clinicForm = {
  name: requiredLine("Skriv klinikkens titel.", 200),
  address: requiredLine("Skriv adressen.", 200),
  zip: requiredLine("Skriv postnummeret.", 20),
  city: requiredLine("Skriv byen.", 100),
  email: requiredEmail,
  phone: requiredPhone("Skriv telefonnummeret."),
  mobilePhone: optionalMobilePhone,
};

const clinicStatus = activityStatus("Vælg en status.").optional();

/** Returns nothing. It exists so that the page of the form opens only to people who may send it. */
export const readNewClinic = read({
  name: "readNewClinic",
  permission: "directory.manageAll",
  run: async () => ({}),
});

/**
 * Creates a clinic, active unless `status` says otherwise, and redirects to its row. A form that is sent twice
 * creates one clinic. Throws `invalid` if there are too many active ones.
 */
export const createClinic = change({
  name: "createClinic",
  permission: "directory.manageAll",
  idempotent: true,
  unexpectedErrorText: "Server error. Noget gik galt. Prøv igen senere.",
  input: keyedForm.extend({ ...clinicForm, status: clinicStatus.default(ACTIVE) }),
  async run(context, { formKey: _once, ...clinic }) {
    const { tx, now, auditChange } = context;
    if (clinic.status === ACTIVE) await refuseAnotherClinic(tx);
    const id = await insertClinic(tx, clinic, now);
    auditChange([], `clinic ${id} made`);
    invalidateDirectory(context);
    return { to: serverPaths.clinic(id), ...succeeded(`${clinic.name} er oprettet.`) };
  },
});

async function findClinic(db: DbOrTx, actor: Actor, clinicId: number) {
  const row = await findClinicInScope(db, actor, clinicId);
  if (!row) throw new Refusal("notInScope", { text: "Klinikken findes ikke, eller du har ikke adgang til den." });
  return row;
}

const clinicEdit: Edit = {
  groups: [["address", "zip", "city"]],
  async read({ db, actor }, field) {
    const row = await findClinic(db, actor, rowIdIn(field("clinicId")));
    return {
      values: clinicValues(row, can(actor, "directory.manageAll")),
      shown: { status: activityLabel(row.status) },
      version: row.version,
    };
  },
};

/**
 * 'Opdater Klinik'. Secretaries may change their own clinics except the status. An inactive clinic keeps its referrals
 * and is no longer offered. Throws `notInScope`, `conflict`, and `invalid` if there are too many active ones.
 */
export const updateClinic = change({
  name: "updateClinic",
  permission: "directory.manage",
  edit: clinicEdit,
  input: z.object({
    clinicId: wholeNumber,
    seenVersion: wholeNumber.optional(),
    ...clinicForm,
    status: clinicStatus,
  }),
  async run(context, { clinicId, seenVersion, status, ...clinic }) {
    const { tx, actor, now, auditChange } = context;
    const row = await findClinic(tx, actor, clinicId);
    const setsStatus = can(actor, "directory.manageAll") && status !== undefined;
    if (setsStatus && status === ACTIVE) {
      if (row.mergedIntoId !== null)
        throw new Refusal("conflict", {
          text: "Klinikken er samlet med en anden og kan ikke gøres aktiv. Fortryd fusioneringen først.",
        });
      if (row.status !== ACTIVE) await refuseAnotherClinic(tx);
    }
    const seen = { id: row.id, version: seenVersion ?? row.version };
    const values = { ...clinic, status: setsStatus ? status : row.status };
    if (seen.version === row.version && hasValues(row, values)) return nothingChanged(context);
    if (!(await updateClinicRow(tx, seen, values, now)))
      throw new Refusal("conflict", {
        text: "Klinikken er ændret, siden du åbnede den. Se, hvad der er gemt nu, og prøv igen.",
      });
    auditChange([], `clinic ${row.id} changed`);
    invalidateDirectory(context);
    return succeeded("Klinikken er opdateret.");
  },
});

/**
 * Data for merging clinics side by side. `picks` is ids separated by dots (`12.15`); unknown ids are left out.
 * `allOf` is the clinic whose values are all chosen, null if it is not among them. `mayMerge` is false for fewer than
 * two clinics or if one is merged already. Counts in `moving` end at `maxCounted`.
 */
export const readClinicMerge = read({
  name: "readClinicMerge",
  permission: "directory.merge",
  input: z.object({ picks: z.string().nullish(), allOf: wholeNumber.nullish().catch(null) }),
  async run({ db }, { picks, allOf }) {
    const picked = await findClinicsToMerge(db, picksIn(picks));
    const members = await findMembers(db, idsOf(picked));
    return {
      maxCounted: MAX_COUNTED,
      allOf: picked.find(({ id }) => id === allOf)?.id ?? null,
      mayMerge: picked.length > 1 && picked.every(({ mergedIntoId }) => mergedIntoId === null),
      clinics: await Promise.all(
        picked.map(async (clinic) => {
          const own = members.filter((member) => member.clinicId === clinic.id);
          return {
            id: clinic.id,
            version: clinic.version,
            name: clinic.name,
            email: clinic.email,
            phone: clinic.phone,
            mobilePhone: clinic.mobilePhone,
            address: clinic.address,
            zip: clinic.zip,
            city: clinic.city,
            status: clinic.status,
            createdAt: clinic.createdAt,
            members: own.map((member) => ({ id: member.id, name: fullName(member) })),
            moving: { ...(await countMoving(db, "clinic", clinic.id)), members: own.length },
          };
        }),
      ),
    };
  },
});

/**
 * 'Gem fusioneringen': one clinic stays, with the chosen values and all members. The others become inactive, and a job
 * moves their referrals. Throws `notInScope` and `conflict`.
 */
export const mergeClinics = change({
  name: "mergeClinics",
  permission: "directory.merge",
  input: mergeForm({ ...clinicForm, status: activityStatus("Vælg en status.") }),
  async run(context, { keepId, pick, confirmed: _yes, here = paths.clinics, ...values }) {
    const { tx, now, auditChange } = context;
    const picked = await lockClinicsToMerge(tx, idsOf(pick));
    const winner = picked.find(({ id }) => id === keepId);
    if (!winner || picked.length < pick.length)
      throw new Refusal("notInScope", { text: "En af klinikkerne findes ikke." });
    const merged = picked.find(({ mergedIntoId }) => mergedIntoId !== null);
    if (merged) throw new Refusal("conflict", { text: `${merged.name} er allerede samlet med en anden.` });
    const versions = new Map(picked.map(({ id, version }) => [id, version]));
    if (pick.some(({ id, version }) => version !== null && versions.get(id) !== version)) throw conflict();
    const losers = picked.filter((clinic) => clinic !== winner);
    const before = await findWinnerValues(tx, "clinic", winner.id);
    if (!(await updateClinicRow(tx, winner, values, now))) throw conflict();
    const after = await findWinnerValues(tx, "clinic", winner.id);
    await beginMerge(context, { kind: "clinic", winnerId: winner.id, losers, before, after });
    auditChange([], `clinics ${idsOf(losers).join(", ")} merged into ${winner.id}`);
    invalidateDirectory(context);
    return {
      to: controlsOf(paths.clinics, here),
      ...succeeded(
        `${losers.map(({ name }) => name).join(" og ")} er samlet med ${winner.name}. Henvisningerne flyttes i baggrunden.`,
      ),
    };
  },
});

const conflict = () =>
  new Refusal("conflict", {
    text: "En af klinikkerne er ændret, siden du valgte dem. Se, hvad der er gemt nu, og prøv igen.",
  });
