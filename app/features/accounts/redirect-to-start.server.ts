import { z } from "zod";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import { paths } from "~/paths";
import { returnPath } from "./return-path.schema.server";

/** Redirects `/` to sign-in. */
export const redirectToSignIn = read({
  name: "redirectToSignIn",
  permission: "public",
  input: z.object({}),
  async run() {
    return { redirectTo: paths.login };
  },
});

export const redirectToOverview = read({
  name: "redirectToOverview",
  permission: "signedIn",
  input: z.object({}),
  async run() {
    return { redirectTo: paths.overview };
  },
});

/** The sign-in page. Redirects somebody who is signed in; tells whether password mails can be sent. */
export const readSignIn = read({
  name: "readSignIn",
  permission: "public",
  input: z.object({ to: returnPath }),
  async run({ actor, portal }, { to }) {
    return can(actor, "signedIn") ? { redirectTo: to } : { canMail: isChannelSet(portal, "email") };
  },
});
