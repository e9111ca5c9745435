import { z } from "zod";
import { passwordErrors, passwordsDiffer } from "./password";

/** Longer passwords only cost hashing time. */
const MAX_PASSWORD_LENGTH = 200;

export const newPassword = z
  .string({ error: "Skriv en adgangskode." })
  .max(MAX_PASSWORD_LENGTH, `Adgangskoden må højst have ${MAX_PASSWORD_LENGTH} tegn.`)
  .superRefine((password, context) => {
    for (const message of passwordErrors(password)) context.addIssue({ code: "custom", message });
  });

export const passwordPair = {
  newPassword,
  repeatPassword: z.string({ error: "Gentag adgangskoden." }),
};

export function refinePair(
  values: { newPassword?: string | undefined; repeatPassword?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (values.newPassword !== values.repeatPassword)
    context.addIssue({ code: "custom", path: ["repeatPassword"], message: passwordsDiffer });
}
