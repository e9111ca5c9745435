import { z } from "zod";
import {
  downloadLinkedLetter,
  downloadLinkedRadiograph,
  downloadLinkedRadiographs,
  readLinkedRadiographs,
} from "~/features/patient-links/open-patient-link.server";
import { sendRadiographLink } from "~/features/patient-links/operations.server";
import { call, id } from "~/http/api/api-route.server";

const token = z.string().max(100);
const SMS = 1;

export const patientLinkCalls = [
  call("GET /radiographs/token/{token}", {
    summary: "The radiographs that a patient's link leads to",
    scope: null,
    isPublic: true,
    operation: readLinkedRadiographs,
    link: "radiographLink",
    params: { token },
    answer: { schema: z.array(z.object({ radiographId: z.int(), fileName: z.string() })) },
    run: async (ask) =>
      (await ask(readLinkedRadiographs)).files.map((file) => ({ radiographId: file.id, fileName: file.fileName })),
  }),
  call("GET /radiographs/{id}/download/token/{token}", {
    summary: "One of them as it was uploaded",
    scope: null,
    isPublic: true,
    operation: downloadLinkedRadiograph,
    link: "radiographLink",
    params: { id, token },
    answer: { file: "application/octet-stream" },
    run: (ask, { params }) => ask(downloadLinkedRadiograph, { fileId: params.id }),
  }),
  call("GET /radiographs/download/token/{token}", {
    summary: "All of them as one ZIP, named after the clinic",
    scope: null,
    isPublic: true,
    operation: downloadLinkedRadiographs,
    link: "radiographLink",
    params: { token },
    answer: { file: "application/zip" },
    run: (ask) => ask(downloadLinkedRadiographs),
  }),
  call("GET /termination-letter-zip/token/{token}", {
    summary: "The discharge letter that a patient's link leads to, as a ZIP named after the clinic",
    scope: null,
    isPublic: true,
    operation: downloadLinkedLetter,
    link: "letterFilesLink",
    params: { token },
    answer: { file: "application/zip" },
    run: (ask) => ask(downloadLinkedLetter),
  }),
  call("POST /Visits/{id}/radiographs/send-sms-with-link-to-patient", {
    summary: "Send the patient a link to the radiographs by SMS",
    scope: null,
    operation: sendRadiographLink,
    params: { id },
    run: (ask, { params }) => ask(sendRadiographLink, { referralId: params.id, messageType: SMS }),
  }),
];
