import { z } from "zod";
import { read } from "~/access/operation.server";
import { findNewestText } from "./portal-text-store.server";

/** Texts as other features see them. */
export { findNewestText } from "./portal-text-store.server";

/** The clinic's text above the wizard (GET /Umbraco/management), for anyone; null without one. */
export const readManagementText = read({
  name: "readManagementText",
  permission: "public",
  input: z.object({}),
  async run({ db }) {
    return { text: (await findNewestText(db, "management"))?.body || null };
  },
});
