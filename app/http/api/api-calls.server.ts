import { z } from "zod";
import { readAccount } from "~/features/shell/read-shell.server";
import { type CallGroup, describeApi } from "./api-description.server";
import { type ApiRoute, call } from "./api-route.server";
import { accountCalls } from "./calls/account.server";
import { appointmentCalls } from "./calls/appointments.server";
import { callUpCalls } from "./calls/call-ups.server";
import { clinicCalls } from "./calls/clinics.server";
import { directoryCalls } from "./calls/directory.server";
import { dischargeLetterCalls } from "./calls/discharge-letters.server";
import { draftCalls } from "./calls/drafts.server";
import { ediCalls, exportCalls } from "./calls/exports.server";
import { logCalls } from "./calls/logs.server";
import { messageCalls } from "./calls/messages.server";
import { nextCalls } from "./calls/next.server";
import { parkingCalls } from "./calls/parking.server";
import { patientLinkCalls } from "./calls/patient-links.server";
import { peopleCalls } from "./calls/people.server";
import { radiographCalls } from "./calls/radiographs.server";
import { smsCalls } from "./calls/sms.server";
import { statisticsCalls } from "./calls/statistics.server";
import { visitCalls } from "./calls/visits.server";
import { wizardCalls } from "./calls/wizard.server";

/** Every call of the JSON API as data, by subject: served, described and tested from here. */
const callGroups: readonly CallGroup[] = [
  ["The own account", accountCalls],
  ["Referrers, surgeons and treatment types", directoryCalls],
  ["Users", peopleCalls],
  ["Clinics", clinicCalls],
  ["Referrals", visitCalls],
  ["Referring, step by step", wizardCalls],
  ["Messages", messageCalls],
  ["Radiographs", radiographCalls],
  ["EDI", ediCalls],
  ["Exports", exportCalls],
  ["Drafts", draftCalls],
  ["Logs", logCalls],
  ["Call-ups", callUpCalls],
  ["Discharge letters", dischargeLetterCalls],
  ["SMS", smsCalls],
  ["Parking", parkingCalls],
  ["Appointments", appointmentCalls],
  ["Statistics", statisticsCalls],
  ["Patients' links", patientLinkCalls],
  ["Next dates and silence", nextCalls],
  [
    "This description",
    [
      call("GET /openapi.json", {
        summary: "This description of the API",
        scope: "any",
        operation: readAccount,
        answer: { schema: z.looseObject({ openapi: z.string() }) },
        run: async () => describedApi(),
      }),
    ],
  ],
];

export const apiCalls: readonly ApiRoute[] = callGroups.flatMap(([, calls]) => calls);

export const describedApi = () => describeApi(callGroups);
