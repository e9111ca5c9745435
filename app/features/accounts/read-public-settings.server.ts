import { z } from "zod";
import { read } from "~/access/operation.server";

/** Names and contacts shown on every page, and whether the visitor uses the light edition. */
export const readPublicSettings = read({
  name: "readPublicSettings",
  permission: "public",
  input: z.object({ saveData: z.boolean() }),
  async run({ portal, actor }, { saveData }) {
    const { productName, clinicName, supportEmail, supportPhone, registerUrl } = portal.config;
    const isLight = saveData || (actor.kind === "person" && actor.lightEdition);
    return { productName, clinicName, supportEmail, supportPhone, registerUrl, isLight };
  },
});
