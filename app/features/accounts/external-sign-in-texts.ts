import type { SignInFault } from "~/gateways/identity-provider/port";

const NOT_SIGNED_IN = "Du er ikke logget ind.";

const texts: Record<SignInFault | "unknown" | "inactive" | "taken" | "linkUsed" | "noGroup" | "noProvider", string> = {
  unavailable: "Kan ikke nå login-udbyderen lige nu. Prøv igen om lidt, eller log ind med din adgangskode.",
  cancelled: `Login blev afbrudt. ${NOT_SIGNED_IN}`,
  expired: "Login er udløbet eller allerede brugt. Prøv igen.",
  untrusted: `Svaret fra login-udbyderen kunne ikke bekræftes. ${NOT_SIGNED_IN} Kontakt it-driften, hvis det sker igen.`,
  tooWeak: `Login-udbyderen har ikke brugt den sikre måde at logge ind på, som portalen kræver. ${NOT_SIGNED_IN}`,
  unknown: "Din konto er ikke knyttet til en bruger her. Bed klinikken om at knytte den, eller skriv til support.",
  inactive: "Din bruger er inaktiv. Skriv til support, hvis det er en fejl.",
  taken: "Brugeren er allerede knyttet til en anden ekstern konto. Skriv til support.",
  linkUsed: "Linket er brugt eller udløbet. Bed klinikken om et nyt.",
  noGroup: "Din konto er ikke med i en gruppe, der giver adgang. Kontakt din it-afdeling.",
  noProvider: "Her kan ikke logges ind på den måde.",
};

export const externalTexts = {
  ...texts,
  merged: (winner: string) =>
    `Din profil er samlet med ${winner}, som ikke er knyttet til den konto, du kom med. Log ind som ${winner}, eller skriv til support.`,
};
