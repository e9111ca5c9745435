/** Requirements: 7 characters, a digit, a lower-case and an upper-case letter. */
export const passwordHint = "Mindst 7 tegn med et tal, et lille og et stort bogstav.";

export function passwordErrors(password: string): string[] {
  const errors = [];
  if (password.length < 7) errors.push("Adgangskoden skal have mindst 7 tegn.");
  if (!/\p{N}/u.test(password)) errors.push("Adgangskoden skal have mindst ét tal.");
  if (!/\p{Ll}/u.test(password)) errors.push("Adgangskoden skal have mindst ét lille bogstav.");
  if (!/\p{Lu}/u.test(password)) errors.push("Adgangskoden skal have mindst ét stort bogstav.");
  return errors;
}

export const passwordsDiffer = "Passwords matcher ikke";

export const PASSWORDS_UNUSED = "Der logges ind hos login-udbyderen, og portalen bruger ingen adgangskode.";

export const NO_MAIL = "Portalen kan ikke sende mails: Ikke indstillet. Kontakt support for at få en ny adgangskode.";
