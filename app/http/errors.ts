import type { Refusal, RefusalName } from "~/access/refusal";

interface Answer {
  status: number;
  text: string;
}

/** HTTP status and Danish text of every refusal, equal in pages, downloads and API. */
export const refusals: Record<RefusalName, Answer> = {
  notSignedIn: { status: 401, text: "Du er ikke logget ind. Log ind, og prøv igen." },
  notAllowed: { status: 403, text: "Access Denied by Role" },
  notInScope: { status: 404, text: "Henvisningen findes ikke, eller du har ikke adgang til den." },
  conditionsNotAccepted: {
    status: 403,
    text: "Der er nye betingelser. Læs og acceptér dem i et nyt vindue, og send så igen her.",
  },
  passwordMustChange: {
    status: 403,
    text: "Du skal vælge din egen adgangskode. Gør det i et nyt vindue, og send så igen her.",
  },
  secondFactorMissing: {
    status: 403,
    text: "Du skal slå totrinslogin til. Gør det i et nyt vindue, og send så igen her.",
  },
  invalid: { status: 400, text: "Der er felter som mangler at blive udfyldt, tjek venligst og udfyld disse." },
  conflict: { status: 409, text: "Henvisningen er ændret, siden du åbnede den. Se den nye udgave, og prøv igen." },
  otherPerson: { status: 409, text: "Formularen blev åbnet af en anden, end du er logget ind som." },
  wrongCredentials: { status: 400, text: "Kontoen blev ikke fundet, eller adgangskoden er ikke korrekt." },
  wrongCode: { status: 400, text: "Koden er ikke rigtig." },
  codeNeeded: { status: 400, text: "Skriv koden fra din kode-app, eller en gendannelseskode." },
  signInExpired: { status: 400, text: "Der gik for lang tid. Log ind igen." },
  tooManyAttempts: { status: 429, text: "Der er forsøgt for mange gange. Vent lidt, og prøv igen." },
  tooBusy: { status: 503, text: "Der er travlt lige nu. Vent lidt, og prøv igen." },
  accountUnknown: {
    status: 410,
    text: "Profilen/e-mailen findes ikke eller er inaktiv. Tjek venligst og prøv igen, eller skriv til support.",
  },
  tokenInvalid: { status: 400, text: "Linket er brugt eller udløbet. Bestil et nyt link under »Glemt adgangskode?«." },
  linkExpired: {
    status: 403,
    text: "Vi beklager: linket virker ikke længere. Kontakt os, hvis du ønsker at få et nyt link.",
  },
  weakPassword: { status: 422, text: "Adgangskoden er for enkel." },
  wrongCurrentPassword: { status: 400, text: "Den nuværende adgangskode er ikke korrekt." },
  userNameTaken: { status: 409, text: "Brugernavn allerede taget." },
  patientEmailTaken: {
    status: 403,
    text: "Der eksisterer allerede en patient med denne mail - blot med andet cpr. nummer. Patientens mail skal være unik.",
  },
  otherClinic: { status: 417, text: "Forbudt at tildele besøg på en anden klinik." },
  fileRefused: { status: 400, text: "Filen er ikke modtaget." },
  fileTooLarge: { status: 413, text: "Filen er for stor." },
  textTooLong: { status: 413, text: "En af teksterne er for lang. Forkort den, og prøv igen." },
  fileMissing: { status: 404, text: "Filen findes ikke længere." },
  filesNeeded: {
    status: 409,
    text: "Filerne kan ikke slettes endnu: de skal først sendes med et brev eller til billedarkivet. Behold filerne, eller prøv igen om lidt.",
  },
  storeFull: {
    status: 507,
    text: "Der er ikke plads til at gemme lige nu. Intet er gået tabt på skærmen: prøv igen om lidt, eller ring til os.",
  },
  storeAway: {
    status: 503,
    text: "Filerne kan ikke nås lige nu. Intet er gået tabt: prøv igen om lidt, eller ring til os.",
  },
  fileAltered: {
    status: 500,
    text: "Filen er ikke, som den blev sendt, og kan derfor ikke hentes. Kontakt support, eller bed om at få den sendt igen.",
  },
  uploadBroken: { status: 400, text: "Overførslen blev afbrudt. Prøv igen." },
  formUnreadable: {
    status: 400,
    text: "Formularen kan ikke læses: den har for mange felter, eller felter, som portalen ikke kender. Genindlæs siden, og prøv igen.",
  },
  uploadUnfinished: {
    status: 409,
    text: "En fil er kun halvt uploadet. Vælg den igen for at fortsætte, eller fjern den.",
  },
  tooManyUploads: {
    status: 429,
    text: "Der er for mange halvt uploadede filer. Gør dem færdige, eller fjern nogle af dem, og prøv igen.",
  },
  alreadySent: {
    status: 409,
    text: "Henvisningen er allerede sendt, så den kan ikke rettes her. Skriv det nye i en besked til klinikken.",
  },
  emailMissing: { status: 422, text: "Udfyld venligst E-mail-feltet." },
  callUpPlanned: { status: 400, text: "Besøgsopkald via brev er allerede planlagt." },
  stillAwaiting: { status: 409, text: "Der er ikke kommet svar på den forrige forsendelse endnu." },
  registerUnavailable: {
    status: 503,
    text: "CPR-registret svarer ikke lige nu. Prøv igen om lidt, eller skriv navn og adresse selv.",
  },
  wrongMethod: { status: 405, text: "Metoden er ikke tilladt her." },
  wrongBody: { status: 415, text: "Indholdstypen understøttes ikke." },
  addressNotAllowed: { status: 401, text: "Adressen har ikke adgang hertil." },
  stepNotReached: { status: 409, text: "Udfyld de foregående trin først." },
};

const RETRY_SECONDS = 60;

/**
 * Headers of an answer to a refusal: `Retry-After` where the caller has done something too often or the portal is busy.
 */
export function headersOf({
  name,
  retryAfterSeconds,
}: Pick<Refusal, "name" | "retryAfterSeconds">): Record<string, string> {
  const seconds = retryAfterSeconds ?? (refusals[name].status === 429 ? RETRY_SECONDS : undefined);
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

export const readError = "!!! SERVER ERROR !!! Det kunne ikke hentes. Prøv igen om lidt, eller kontakt support.";

/**
 * Text of an unexpected error unless the operation has its own (`unexpectedErrorText`): what failed, then what to do.
 */
export const serverError =
  "!!! SERVER ERROR !!! Dine ændringer er ikke gemt. Prøv igen om lidt, eller kontakt support.";
