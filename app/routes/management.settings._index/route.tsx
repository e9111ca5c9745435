import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { AppointmentUpload } from "~/components/appointment-upload/appointment-upload";
import { filterImportLog } from "~/features/appointments/list-import-log.server";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import {
  addTreatmentType,
  deleteTreatmentType,
  saveTreatmentType,
} from "~/features/referrals/treatment-types/change-treatment-types.server";
import { readSettingsPage } from "~/features/settings-page/read-settings-page.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { readListQuery } from "~/lists/list-query";
import { paths } from "~/paths";
import { DeleteTreatmentType, EditTreatmentType } from "./edit-treatment-type";
import { ImportLog } from "./import-log";
import { presentSettings } from "./present";
import { TreatmentTypes } from "./treatment-types";

export const meta = pageTitle("Indstillinger");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readSettingsPage, readListQuery(args.request), {
    forms: { addTreatmentType, saveTreatmentType, uploadAppointments },
    subject: ({ treatmentTypes }) => ({
      items: { treatmentTypeId: treatmentTypes.map(({ id, settings }) => [id, settings?.version ?? 0]) },
    }),
  });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    addTreatmentType,
    saveTreatmentType,
    deleteTreatmentType,
    uploadAppointments,
    filterImportLog,
  });

export default function TreatmentsAndTimes() {
  const { treatmentTypes, log } = presentSettings(useLoaderData<typeof loader>());
  const [query] = useSearchParams();
  const named = (name: string) => treatmentTypes.find(({ id }) => id === Number(query.get(name)));
  const toEdit = named("ret");
  const toDelete = named("slet");
  return (
    <div className="stack">
      {toEdit && <EditTreatmentType key={toEdit.id} type={toEdit} />}
      {toDelete && <DeleteTreatmentType type={toDelete} />}
      <TreatmentTypes types={treatmentTypes} />
      <section className="panel panel-body stack" id="upload" aria-labelledby="upload-titel">
        <h2 id="upload-titel">Upload af patienttider / uploades dagligt - bruges til at udsende SMS reminders</h2>
        <AppointmentUpload action={paths.settingsForms} />
      </section>
      <ImportLog log={log} />
    </div>
  );
}
