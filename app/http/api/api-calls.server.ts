import { z } from "zod";
import { readAccount } from "~/features/shell/read-account.server";
import { describeApi } from "./api-description.server";
import { type ApiRoute, call } from "./api-route.server";
import { accountCalls } from "./calls/account.server";
import { appointmentCalls } from "./calls/appointments.server";
import { callUpCalls } from "./calls/call-ups.server";
import { clinicCalls } from "./calls/clinics.server";
import { directoryCalls } from "./calls/directory.server";
import { dischargeLetterCalls } from "./calls/discharge-letters.server";
import { draftCalls } from "./calls/drafts.server";
import { ediCalls } from "./calls/edi.server";
import { exportCalls } from "./calls/exports.server";
import { logCalls } from "./calls/logs.server";
import { messageCalls } from "./calls/messages.server";
import { parkingCalls } from "./calls/parking.server";
import { patientLinkCalls } from "./calls/patient-links.server";
import { peopleCalls } from "./calls/people.server";
import { radiographCalls } from "./calls/radiographs.server";
import { smsCalls } from "./calls/sms.server";
import { statisticsCalls } from "./calls/statistics.server";
import { visitCalls } from "./calls/visits.server";
import { wizardCalls } from "./calls/wizard.server";

/** Every call of the JSON API as data: served, described and tested from here. */
export const apiCalls: readonly ApiRoute[] = [
  ...accountCalls,
  ...directoryCalls,
  ...peopleCalls,
  ...clinicCalls,
  ...visitCalls,
  ...wizardCalls,
  ...messageCalls,
  ...radiographCalls,
  ...ediCalls,
  ...exportCalls,
  ...draftCalls,
  ...logCalls,
  ...callUpCalls,
  ...dischargeLetterCalls,
  ...smsCalls,
  ...parkingCalls,
  ...appointmentCalls,
  ...statisticsCalls,
  ...patientLinkCalls,
  call("GET /openapi.json", {
    summary: "This description of the API",
    scope: "any",
    operation: readAccount,
    answer: { schema: z.looseObject({ openapi: z.string() }) },
    run: async () => describeApi(apiCalls),
  }),
];
