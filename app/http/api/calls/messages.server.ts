import { z } from "zod";
import {
  editMessage,
  markMessages,
  writeMessage,
  type Messages,
  readMessages,
} from "~/features/messages/operations.server";
import { OTHER_FILES, RADIOGRAPHS } from "~/features/messages/messages";
import { downloadFileOfKind } from "~/features/referrals/images/download-referral-file.server";
import { call, id } from "~/http/api/api-route.server";
import { FILE, fileTypes, typesInOrder } from "./call-shapes.server";

const message = z.object({
  id: z.int(),
  version: z.int(),
  text: z.string(),
  createDate: z.iso.datetime(),
  editDate: z.iso.datetime().nullable(),
  isFromAdmin: z.boolean(),
  authorName: z.string(),
  canEdit: z.boolean(),
  attachments: z.array(z.object({ id: z.int(), name: z.string() })),
});

const messageAnswer = (item: Messages["items"][number]) => ({
  id: item.id,
  version: item.version,
  text: item.text,
  createDate: item.createdAt,
  editDate: item.editedAt,
  isFromAdmin: item.isFromClinic,
  authorName: item.authorName,
  canEdit: item.mayEdit,
  attachments: item.attachments.map((file) => ({ id: file.id, name: file.name })),
});

const names = {
  text: "Text",
  attachments: "attachedFiles",
  radiographs: "Radiographs",
  radiographType: "RadiographFileTypes",
};

export const messageCalls = [
  call("GET /Visits/{id}/messages", {
    summary: "The thread of a referral, oldest message first",
    scope: "messages",
    operation: readMessages,
    params: { id },
    answer: { schema: z.array(message) },
    run: async (ask, { params }) => (await ask(readMessages, { referralId: params.id })).items.map(messageAnswer),
  }),
  call("POST /Visits/{id}/messages", {
    summary:
      "Write a message; Radiographs become the referral's own, attachedFiles stay with the message; staff may choose the surgeon",
    scope: "messages",
    operation: writeMessage,
    params: { id },
    form: z.object({ Text: z.string().optional(), RadiographFileTypes: fileTypes, surgeonId: id.optional() }),
    files: { attachedFiles: "attachments", Radiographs: "radiographs" },
    names,
    async run(ask, { params, body, formKey, files }) {
      const referralId = params.id;
      const hasImages = files.some(({ field }) => field === "radiographs");
      const radiographType = typesInOrder(files, body.RadiographFileTypes);
      await ask(writeMessage, {
        referralId,
        formKey,
        text: body.Text,
        surgeonId: body.surgeonId,
        attachmentType: hasImages ? RADIOGRAPHS : OTHER_FILES,
        radiographType,
      });
    },
  }),
  call("PUT /Visits/{id}/messages/{mid}", {
    summary: "Edit a message: its words, the attachments that stay, and new ones",
    scope: "messages",
    operation: editMessage,
    params: { id, mid: id },
    form: z.object({ Text: z.string().optional(), Attachments: z.array(id).optional() }),
    files: { attachedFiles: "attachments" },
    names,
    run: (ask, { params, body, formKey, seenVersion }) =>
      ask(editMessage, {
        referralId: params.id,
        messageId: params.mid,
        seenVersion,
        formKey,
        text: body.Text,
        keep: body.Attachments,
      }),
  }),
  call("GET /Visits/{id}/messages/attachment/{aid}", {
    summary: "A message's attachment",
    scope: "messages",
    operation: downloadFileOfKind,
    params: { id, aid: id },
    answer: { file: FILE },
    run: (ask, { params }) =>
      ask(downloadFileOfKind, { referralId: params.id, kind: "attachment", fileId: params.aid }),
  }),
  call("POST /Visits/{id}/messages/read", {
    summary: "Mark the thread read or unread for one's own side",
    scope: "messages",
    operation: markMessages,
    params: { id },
    json: z.object({ visitId: id.optional(), read: z.boolean() }),
    run: (ask, { params, body }) => ask(markMessages, { referralId: params.id, read: body.read ? "yes" : "no" }),
  }),
];
