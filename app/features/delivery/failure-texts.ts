import type { ChannelName, Outcome, FailureReason } from "./delivery-outcome";

interface Cause {
  title: string;
  text: string;
}

interface CauseRule extends Cause {
  outcome?: Outcome;
  channel?: ChannelName;
  reason?: FailureReason | readonly FailureReason[];
}

/** The first match counts: reasons come before bare outcomes. */
const causes: readonly CauseRule[] = [
  {
    channel: "archive",
    reason: "otherPatient",
    title: "Filen nævner en anden patient",
    text: "Navn, fødselsdag eller CPR-nummer i DICOM-filen er et andet end henvisningens. Slet billedet i henvisningen, eller send det, hvis det er patientens alligevel.",
  },
  {
    channel: "archive",
    reason: "noPatientNamed",
    title: "Filen siger ikke, hvem den tilhører",
    text: "DICOM-filen nævner ingen patient, så arkivet ville ikke kunne finde den. Send den kun, hvis du ved, at den er patientens.",
  },
  {
    channel: "archive",
    reason: "samePicture",
    title: "Samme billede hos en anden patient",
    text: "Billedet er ikke sendt, før I siger, hvis det er. Er det denne patients, så tryk 'Billedet er rigtigt her'. Ellers slet det i henvisningen. Slettes det hos den anden, sendes det af sig selv.",
  },
  {
    channel: "archive",
    reason: "archivedForAnother",
    title: "Filen findes i billedarkivet på en anden patient",
    text: "Den er ikke sendt, for arkivet ville overskrive den anden patients billede. Find ud af, hvis billedet er: slet det i henvisningen, eller få det fjernet fra den anden patient, og send igen.",
  },
  {
    channel: "archive",
    reason: "noCpr",
    title: "Patientens CPR-nummer mangler",
    text: "Et billede uden patientens nummer kan arkivet ikke lægge på patienten. Skriv CPR-nummeret på henvisningen, og send igen.",
  },
  {
    channel: "archive",
    reason: "archiveKnowsNoPortal",
    title: "Arkivet kender ikke portalen",
    text: "AE-titlerne passer ikke sammen. Kontakt it-driften eller arkivet, og send igen.",
  },
  {
    channel: "archive",
    reason: "archiveFull",
    title: "Arkivet er fuldt eller har for travlt",
    text: "Der blev forsøgt igen og igen. Kontakt den, der driver arkivet, og send igen.",
  },
  {
    channel: "archive",
    reason: "archiveRefusesFile",
    title: "Arkivet tager ikke imod filen",
    text: "Formatet passer ikke. Hent billedet og arkivér det på anden vis, eller bed henviseren om et andet format.",
  },
  {
    channel: "archive",
    reason: "archiveSilent",
    title: "Arkivet svarede ikke",
    text: "Der blev forsøgt igen og igen. Send igen, når arkivet er tilbage.",
  },
  {
    channel: "archive",
    outcome: "unknown",
    title: "Arkivet viser ikke billedet",
    text: "Arkivet kan have taget imod det. Se efter i arkivet; send igen, hvis det ikke er der: det lægges kun ét sted.",
  },
  {
    channel: "edi",
    outcome: "unknown",
    reason: "noReport",
    title: "Ukendt: kontrollér hos modtageren",
    text: "Modtageren har ikke kvitteret i tide. Send ikke igen, før du ved, at den ikke er kommet frem.",
  },
  {
    outcome: "unknown",
    reason: "fromCopy",
    title: "Ukendt: kontrollér hos modtageren",
    text: "Den lå i kø, da kopien af portalen blev taget, og kan være sendt siden. Send ikke igen, før du ved, at den ikke er kommet frem.",
  },
  {
    outcome: "unknown",
    reason: "printedElsewhere",
    title: "Ukendt: kontrollér hos modtageren",
    text: "Trykkeriet kan have sendt brevet. Send ikke igen, før du ved, at det ikke er kommet frem.",
  },
  {
    outcome: "unknown",
    reason: "noReport",
    title: "Ukendt: kontrollér hos modtageren",
    text: "Udbyderen har ikke meldt tilbage i to døgn. Send ikke igen, før du ved, at den ikke er kommet frem.",
  },
  {
    outcome: "unknown",
    reason: "cameBack",
    title: "Noget kom retur på denne mail: læs det",
    text: "Portalen kan ikke se, om mailen er kommet frem. Læs, hvad modtagerens mailserver skriver, og afgør det.",
  },
  {
    outcome: "unknown",
    title: "Ukendt: kontrollér hos modtageren",
    text: "Forbindelsen blev afbrudt under afleveringen. Send ikke igen, før du ved, at den ikke er kommet frem.",
  },
  {
    outcome: "awaiting",
    title: "Intet svar i to døgn",
    text: "Udbyderen har taget imod den, men ikke meldt tilbage. Spørg modtageren, om den er kommet.",
  },
  {
    outcome: "queued",
    reason: "registerSilent",
    title: "Venter på CPR-registret",
    text: "CPR-registret svarer ikke, så den sendes ikke endnu. Den sendes af sig selv, når registret er tilbage.",
  },
  {
    outcome: "queued",
    title: "Ligger stadig i kø",
    text: "Den skulle være sendt for over 30 minutter siden. Den sendes af sig selv, når forbindelsen er tilbage.",
  },
  {
    reason: "unreadable",
    title: "Beskeden kan ikke læses",
    text: "Den er skrevet med en nøgle, som portalen ikke har mere. Send en ny.",
  },
  {
    reason: "tooLate",
    title: "Blev ikke sendt i tide",
    text: "Den blev ikke sendt i tide og er droppet. Kontakt patienten, hvis det stadig er nødvendigt.",
  },
  { reason: "fileMissing", title: "Filen findes ikke længere", text: "Brevets fil er slettet. Lav brevet igen." },
  {
    reason: "dead",
    title: "Patienten er død",
    text: "Det siger CPR-registret. Send ikke mere, og afslut henvisningen.",
  },
  {
    reason: "emigrated",
    title: "Patienten er udrejst",
    text: "Det siger CPR-registret. Ring til patienten eller henviseren.",
  },
  {
    reason: "disappeared",
    title: "Patienten er registreret som forsvundet",
    text: "Det siger CPR-registret. Ring til henviseren.",
  },
  {
    reason: ["noSuchCpr", "noCpr", "replacementCpr"],
    title: "CPR-nummeret findes ikke",
    text: "CPR-registret kender ikke nummeret. Kontrollér det hos patienten eller henviseren.",
  },
  {
    reason: "under15",
    title: "Patienten er under 15 år",
    text: "Digital Post begynder ved 15 år. Send til forældrene på en anden måde.",
  },
  {
    reason: "registerSilent",
    title: "CPR-registret svarede ikke",
    text: "Der blev spurgt i et døgn uden svar, og uden svar sendes intet. Prøv igen.",
  },
  {
    reason: "registerNotConfigured",
    title: "CPR-registret er ikke indstillet",
    text: "Uden registret sendes der ingen breve. Kontakt it-driften.",
  },
  {
    reason: ["noMobilePhone", "wrongMobilePhone"],
    title: "Nummeret mangler eller er forkert",
    text: "Der kan ikke sendes SMS til det, der står på henvisningen.",
  },
  { reason: "noEmail", title: "E-mail mangler", text: "Der står ingen e-mail på henvisningen." },
  {
    reason: "noAddress",
    title: "Adressen mangler",
    text: "Adresse, postnr. eller by mangler på henvisningen. Ret dem, og send igen.",
  },
  {
    reason: "unreachable",
    title: "Nummeret kan ikke nås",
    text: "Teleselskabet kunne ikke aflevere beskeden. Kontrollér nummeret hos patienten.",
  },
  {
    reason: "expired",
    title: "Telefonen var slukket for længe",
    text: "Teleselskabet opgav at aflevere beskeden. Prøv igen, eller vælg en anden vej.",
  },
  {
    reason: "rejected",
    title: "Nummeret blev afvist",
    text: "Udbyderen tager ikke imod nummeret. Kontrollér det hos patienten.",
  },
  {
    reason: "noMailbox",
    title: "Postkassen findes ikke",
    text: "Modtagerens mailserver tog ikke imod mailen. Kontrollér adressen.",
  },
  {
    reason: "returned",
    title: "Mailen kom retur",
    text: "Modtagerens mailserver sendte den tilbage. Kontrollér adressen, eller vælg en anden vej.",
  },
  {
    reason: "mailboxFull",
    title: "Postkassen er fuld",
    text: "Modtagerens mailserver har ikke plads til mailen. Prøv igen senere, eller vælg en anden vej.",
  },
  {
    reason: "mailTooBig",
    title: "Mailen er for stor",
    text: "Modtagerens mailserver tager ikke imod så stor en mail. Vælg en anden vej.",
  },
  {
    reason: "mailRefused",
    title: "Mailen blev afvist",
    text: "Modtagerens mailserver tager ikke imod mailen, selv om adressen kan være rigtig. Vælg en anden vej, og kontakt it-driften, hvis det sker igen.",
  },
  {
    reason: "receiverDelays",
    title: "Modtagerens mailserver tog ikke imod mailen",
    text: "Den bad om at vente. Prøv igen senere, eller vælg en anden vej.",
  },
  {
    reason: "noConnection",
    title: "Forbindelsen svarede ikke",
    text: "Der blev forsøgt, til det var for sent. Send den igen, hvis den stadig er aktuel.",
  },
  {
    reason: "loginRefused",
    title: "Login blev afvist",
    text: "Udbyderen godtog ikke portalens login. Kontakt it-driften.",
  },
  {
    reason: "notConfigured",
    title: "Ikke indstillet",
    text: "Portalen er ikke sat op til at sende den vej. Vælg en anden, eller kontakt it-driften.",
  },
];

const causesByCode: Readonly<Record<number, Cause>> = {
  1: { title: "Fejl i ftp upload", text: "Brevet kunne ikke afleveres. Prøv igen." },
  4: {
    title: "Modtager ikke aktiv i eboks",
    text: "Patienten er ikke tilmeldt e-Boks. Vi foreslår ikke e-Boks til patienten igen.",
  },
  5: { title: "Beskeden er for lang", text: "Forkort teksten, og send igen." },
  6: { title: "Modtager findes ikke", text: "Modtageren kendes ikke. Kontrollér CPR-nummeret." },
  7: { title: "Datofejl", text: "Brevets dato blev afvist. Send igen." },
  8: {
    title: "Ikke indstillet",
    text: "Portalen er ikke sat op til at sende den vej. Vælg en anden, eller kontakt it-driften.",
  },
  10: { title: "Fejl hemmelig adresse", text: "Adressen er beskyttet, så der sendes ikke brev." },
};

interface Failed {
  channel: ChannelName;
  outcome: Outcome;
  code: number;
  /** A stored `FailureReason`; null where only the number is known. */
  reason: string | null;
  detail: string | null;
}

/**
 * Why a message did not arrive and what that means, a sentence each; with the provider's answer when the cause is
 * unknown.
 */
export function causeOf({ channel, outcome, code, reason, detail }: Failed): Cause & { answer: string | null } {
  const rule = causes.find(
    (each) =>
      (each.outcome === undefined ? outcome === "failed" : each.outcome === outcome) &&
      (each.channel === undefined || each.channel === channel) &&
      (each.reason === undefined || [each.reason].flat().some((known) => known === reason)),
  );
  // SMS states do not tell the cause.
  const known = rule ?? (channel === "sms" ? undefined : causesByCode[code]);
  return known
    ? { title: known.title, text: known.text, answer: null }
    : { title: "Fejl", text: "Der blev ikke taget imod den.", answer: detail };
}

export function failureText(failed: Failed): string {
  const { title, answer } = causeOf(failed);
  return answer ?? title;
}

export function downCause(isTried: boolean, reason: string | null): string {
  if (!isTried) return "De er ikke forsøgt sendt: kontrollér, at portalens job kører.";
  if (reason === "loginRefused") return "Udbyderen godtager ikke portalens login.";
  return "Forbindelsen svarer ikke.";
}
