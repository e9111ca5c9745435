import { z } from "zod";
import { read } from "~/access/operation.server";
import { findNewestText } from "./portal-text-store.server";

/** What holds now of one of the portal's texts: the look-up of other features. */
export { findNewestText } from "./portal-text-store.server";

/** What the clinic says above the wizard, to anybody who asks (GET /Umbraco/management); null while it says nothing of its own. */
export const readManagementText = read({
  name: "readManagementText",
  permission: "public",
  input: z.object({}),
  async run({ db }) {
    return { text: (await findNewestText(db, "management"))?.body || null };
  },
});
