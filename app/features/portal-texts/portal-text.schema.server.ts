import { z } from "zod";
import { text } from "~/text/fields.server";
import { type PortalTextKind, portalTextKinds } from "./portal-text-kinds";

export const textAddress = z.object({ kind: z.enum(portalTextKinds) });

/** In four bytes a character it still fits its column. */
const LONGEST = 15_000;
/** What stands above other things is read only while it is short. */
const LONGEST_ABOVE_A_PAGE = 2000;

/** The rule of a body that is to be saved. */
export const bodyOf = (kind: PortalTextKind) => text(kind === "conditions" ? LONGEST : LONGEST_ABOVE_A_PAGE);

/** The text as it stands in the form, whole or not. */
export const typedText = {
  body: text(LONGEST)
    .default("")
    .transform((typed) => typed.replace(/\r\n?/g, "\n")),
  buttonText: text(60).default(""),
};
