import { z } from "zod";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import { removeRadiograph } from "~/features/referrals/images/change-radiographs.server";
import { downloadRadiographs } from "~/features/referrals/images/download-referral-file.server";
import { downloadFileOfKind } from "~/features/referrals/images/download-referral-file.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { call, id } from "~/http/api/api-route.server";
import { FILE, fileTypes, typesByFile } from "./call-shapes.server";

const files = { Radiographs: "radiographs" };
const names = {
  radiographs: "Radiographs",
  radiographType: "RadiographFileTypes",
  radiographsSendType: "RadiographsSendType",
};

export const radiographCalls = [
  call("GET /Visits/{id}/download/radiographs", {
    summary: "All radiographs as one ZIP",
    scope: "read",
    operation: downloadRadiographs,
    params: { id },
    answer: { file: "application/zip" },
    run: (ask, { params }) => ask(downloadRadiographs, { referralId: params.id }),
  }),
  call("GET /Visits/{id}/download/{rid}/radiograph", {
    summary: "One radiograph as it was uploaded",
    scope: "read",
    operation: downloadFileOfKind,
    params: { id, rid: id },
    answer: { file: FILE },
    run: (ask, { params }) =>
      ask(downloadFileOfKind, { referralId: params.id, kind: "radiograph", fileId: params.rid }),
  }),
  call("POST /Visits/{id}/radiographs", {
    summary:
      "The wizard's step 3: how the radiographs come, with the files when they are uploaded; sends the referral, once",
    scope: "refer",
    operation: sendReferral,
    params: { id },
    form: z.object({
      VisitId: id.optional(),
      RadiographsSendType: z.int().min(0).max(3),
      RadiographFileTypes: fileTypes,
    }),
    files,
    names,
    run: (ask, { params, body, formKey, files: sent }) =>
      ask(sendReferral, {
        referralId: params.id,
        formKey,
        radiographsSendType: body.RadiographsSendType,
        fileTypes: typesByFile(sent, body.RadiographFileTypes),
      }),
  }),
  call("POST /Visits/{id}/upload/radiographs", {
    summary: "Add radiographs to a referral; 400 names those that were refused, the others stay",
    scope: "refer",
    operation: addRadiographs,
    params: { id },
    form: z.object({ RadiographFileTypes: fileTypes }),
    files,
    names,
    run: (ask, { params, body, formKey, files: sent }) =>
      ask(addRadiographs, {
        referralId: params.id,
        formKey,
        fileTypes: typesByFile(sent, body.RadiographFileTypes),
      }),
  }),
  call("DELETE /Visits/{id}/radiographs/{rid}", {
    summary: "Take a radiograph off a draft; staff also off a sent referral",
    scope: "refer",
    operation: removeRadiograph,
    params: { id, rid: id },
    run: (ask, { params, seenVersion }) =>
      ask(removeRadiograph, { referralId: params.id, fileId: params.rid, seenVersion }),
  }),
];
