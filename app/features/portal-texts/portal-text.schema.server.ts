import { z } from "zod";
import { text } from "~/text/fields.server";
import { type PortalTextKind, portalTextKinds } from "./portal-text-kinds";

export const textAddress = z.object({ kind: z.enum(portalTextKinds) });

/** Fits its column at four bytes a character. */
const MAX_CONDITIONS_LENGTH = 15_000;
const MAX_NOTICE_LENGTH = 2000;

export const bodyOf = (kind: PortalTextKind) => text(kind === "conditions" ? MAX_CONDITIONS_LENGTH : MAX_NOTICE_LENGTH);

export const typedText = {
  body: text(MAX_CONDITIONS_LENGTH)
    .default("")
    .transform((typed) => typed.replace(/\r\n?/g, "\n")),
  buttonText: text(60).default(""),
};
