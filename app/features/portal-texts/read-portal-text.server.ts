import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { portalTexts } from "./portal-text-kinds";
import { textAddress } from "./portal-text.schema.server";
import { findVersions } from "./portal-text-store.server";

/** The texts open with the first. */
export const redirectToPortalText = read({
  name: "redirectToPortalText",
  permission: "public",
  input: z.object({}),
  async run() {
    return { redirectTo: paths.portalText("conditions") };
  },
});

/** A text with its versions for the editor, newest first. `from`: version to start from. Throws `notInScope`. */
export const readPortalText = read({
  name: "readPortalText",
  permission: "settings.manage",
  input: textAddress.extend({ from: z.coerce.number().int().min(1).optional() }),
  async run({ db, portal }, { kind, from }) {
    const versions = await findVersions(db, kind);
    const none = { version: 0, body: "", buttonText: portalTexts[kind].standardButton };
    const newest = versions[0] ?? none;
    const shown = from === undefined ? newest : versions.find(({ version }) => version === from);
    if (!shown) throw new Refusal("notInScope", { text: "Der er ingen tekst på denne adresse." });
    const { supportEmail, supportPhone } = portal.config;
    return {
      kind,
      body: shown.body,
      buttonText: shown.buttonText,
      shownVersion: shown.version,
      newestVersion: newest.version,
      versions: versions.map(({ created_at, author_first_name, author_last_name, ...version }) => ({
        ...version,
        createdAt: isoMoment(created_at),
        author: fullName({ first_name: author_first_name ?? "", last_name: author_last_name ?? "" }) || null,
      })),
      supportEmail,
      supportPhone,
    };
  },
});
