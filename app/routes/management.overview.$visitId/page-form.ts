import type { readOpenReferral } from "./data.server";
import type { PageOf } from "~/http/runners/page.server";
import type { PageFormHandle } from "~/http/forms/page-form";
import { formOf } from "./edit-form";
import { editFormId } from "./sections/messages/message-form";

export const handle = {
  pageForm({ edit, messages }, query) {
    const edited = query.get("ret") ?? "";
    if (edit) return formOf[edited as keyof typeof formOf] ?? null;
    return messages.items.some(({ id, mayEdit }) => mayEdit && String(id) === edited)
      ? editFormId(Number(edited))
      : "writeMessage";
  },
} satisfies PageFormHandle<PageOf<typeof readOpenReferral>>;
