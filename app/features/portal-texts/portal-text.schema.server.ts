import { z } from "zod";
import { text } from "~/text/fields.server";
import { type PortalTextKind, portalTextKinds } from "./portal-text-kinds";

export const textAddress = z.object({ kind: z.enum(portalTextKinds) });

/** In four bytes a character it still fits its column. */
const MAX_CONDITIONS_LENGTH = 15_000;
/** What stands above other things is read only while it is short. */
const MAX_NOTICE_LENGTH = 2000;

/** The rule of a body that is to be saved. */
export const bodyOf = (kind: PortalTextKind) => text(kind === "conditions" ? MAX_CONDITIONS_LENGTH : MAX_NOTICE_LENGTH);

/** The text as it stands in the form, whole or not. */
export const typedText = {
  body: text(MAX_CONDITIONS_LENGTH)
    .default("")
    .transform((typed) => typed.replace(/\r\n?/g, "\n")),
  buttonText: text(60).default(""),
};
