import { isChannelSet } from "~/features/delivery/channel-is-set.server";
import type { Portal } from "~/portal.server";

/** What happens with the password mail, for the person who requested it. */
export const linkText = (portal: Portal, email: string): string =>
  isChannelSet(portal, "email")
    ? `Et link til at vælge adgangskode er på vej til ${email}.`
    : "Mail er ikke indstillet, så der er ikke sendt noget link. Send det igen fra brugeren, når mail er indstillet.";
