import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { radiographType } from "./add-radiographs.server";
import { typeFault } from "./attach-radiographs.server";
import { findFile, hideFiles, refreshRadiographMark } from "./referral-file-store.server";
import { findEditable } from "./referral-store.server";

const oneFile = z.object({ referralId: z.coerce.number().int(), fileId: z.coerce.number().int() });

/** Takes an image off a draft again. Throws `notInScope` and `fileMissing`. */
export const removeRadiograph = change({
  name: "removeRadiograph",
  permission: "referral.write",
  input: oneFile,
  async run({ tx, person, now, portal, touched }, { referralId, fileId }) {
    await findEditable(tx, person, referralId);
    const file = await findFile(tx, referralId, fileId);
    if (file?.kind !== "radiograph") throw new Refusal("fileMissing");
    await hideFiles(tx, referralId, [fileId], now, portal.config.filePurgeDays);
    await refreshRadiographMark(tx, referralId);
    touched([referralId], `file ${fileId}`);
    return { flash: { tone: "info" as const, text: `${file.fileName} er fjernet.` } };
  },
});

/** Gives an image of a draft another type. Throws `fileRefused` when the type does not take its extension. */
export const setRadiographType = change({
  name: "setRadiographType",
  permission: "referral.write",
  input: oneFile.extend({ radiographType }),
  async run({ tx, person, touched }, { referralId, fileId, radiographType: type }) {
    await findEditable(tx, person, referralId);
    const file = await findFile(tx, referralId, fileId);
    if (file?.kind !== "radiograph") throw new Refusal("fileMissing");
    const fault = typeFault(file.fileName, type);
    if (fault !== null) throw new Refusal("fileRefused", { text: `${file.fileName}: ${fault}` });
    await tx.updateTable("referral_file").set({ radiograph_type: type }).where("id", "=", fileId).execute();
    touched([referralId], `file ${fileId}`);
    return {};
  },
});
