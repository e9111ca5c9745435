import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { mergeForm } from "~/features/merging/merge-form.schema.server";
import { beginMerge, findWinnerValues, invalidateMerged } from "~/features/merging/merging.server";
import { controlsOf, paths } from "~/paths";
import { clinicForm } from "./clinic.schema.server";
import { updateClinicRow } from "./clinic-member-store.server";
import { lockClinicsToMerge } from "./merge-clinic-store.server";

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
    const clinics = await lockClinicsToMerge(
      tx,
      pick.map(({ id }) => id),
    );
    const winner = clinics.find(({ id }) => id === keepId);
    if (!winner || clinics.length < pick.length)
      throw new Refusal("notInScope", { text: "En af klinikkerne findes ikke." });
    const merged = clinics.find(({ merged_into_id }) => merged_into_id !== null);
    if (merged) throw new Refusal("conflict", { text: `${merged.name} er allerede samlet med en anden.` });
    const versions = new Map(clinics.map(({ id, version }) => [id, version]));
    if (pick.some(({ id, version }) => version !== null && versions.get(id) !== version)) throw conflict();
    const losers = clinics.filter((clinic) => clinic !== winner);
    const before = await findWinnerValues(tx, "clinic", winner.id);
    if (!(await updateClinicRow(tx, winner, values, now))) throw conflict();
    const after = await findWinnerValues(tx, "clinic", winner.id);
    await beginMerge(context, { kind: "clinic", winnerId: winner.id, losers, before, after });
    auditChange([], `clinics ${losers.map(({ id }) => id).join(", ")} merged into ${winner.id}`);
    invalidateMerged(context);
    return {
      to: controlsOf(paths.clinics, here),
      flash: {
        tone: "success" as const,
        text: `${losers.map(({ name }) => name).join(" og ")} er samlet med ${winner.name}. Henvisningerne flyttes i baggrunden.`,
      },
    };
  },
});

const conflict = () =>
  new Refusal("conflict", {
    text: "En af klinikkerne er ændret, siden du valgte dem. Se, hvad der er gemt nu, og prøv igen.",
  });
