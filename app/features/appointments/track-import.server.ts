import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { importProgress } from "./import-appointments.server";
import { FILE_UNKNOWN } from "./import-rules";

/** How far the import of a file has come (GET /Appointments/csv/track-process). Throws `notInScope`. */
export const trackImport = read({
  name: "trackImport",
  permission: "appointments.import",
  input: z.object({ fileId: z.number().int() }),
  async run({ db }, { fileId }) {
    const progress = await importProgress(db, fileId);
    if (!progress) throw new Refusal("notInScope", { text: FILE_UNKNOWN });
    return progress;
  },
});
