import { z } from "zod";
import { read } from "~/access/operation.server";
import { findMessageFiles } from "~/features/referrals/message-files.server";
import { isoMoment } from "~/text/dates";
import { mayEdit } from "./edit-message.server";
import { findDialogue, findMessages } from "./message-store.server";

/** The dialogue of a referral, oldest message first (GET /Visits/{id}/messages). Throws `notInScope`. */
export const listMessages = read({
  name: "listMessages",
  permission: "referral.read",
  input: z.object({ referralId: z.number().int() }),
  async run({ db, person, saw }, { referralId }) {
    const dialogue = await findDialogue(db, person, referralId);
    saw([referralId]);
    const files = await findMessageFiles(db, dialogue.id);
    return {
      messages: (await findMessages(db, dialogue.id)).map((row) => ({
        id: row.id,
        version: row.version,
        text: row.text,
        createDate: isoMoment(row.created_at),
        editDate: row.edited_at === null ? null : isoMoment(row.edited_at),
        isFromAdmin: row.is_from_admin === 1,
        authorName: row.author_name,
        canEdit: mayEdit(person, row),
        attachments: files.filter((file) => file.messageId === row.id).map(({ id, name }) => ({ id, name })),
      })),
    };
  },
});
