import type { ChannelName } from "../delivery-outcome";
import { type Kind, messageKinds } from "../message-kinds";
import type { PlaceholderName } from "./placeholders";

export interface MessageText {
  subject: string;
  body: string;
}

export type Receiver = "patient" | "referrer" | "user" | "clinic";

interface Template {
  receiver: Receiver;
  /** Default: the kind's label. */
  title?: string;
  /** A text without these placeholders is refused, because the message would be useless. */
  must?: readonly PlaceholderName[];
  /** Other placeholders with a value; those that others may read have none about the patient. */
  may: readonly PlaceholderName[];
  texts: Partial<Record<ChannelName, MessageText>>;
}

const ofPatient = ["fornavn", "klinik", "telefon"] as const;
const ofTime = [...ofPatient, "dato", "klokkeslæt"] as const;
const ofTreatment = [...ofTime, "behandling", "anbefaling", "tolk"] as const;
const ofLink = { must: ["link"], may: [...ofPatient, "dage"] } as const;
const ofAccount = ["navn", "portal", "support", "supporttelefon"] as const;

const text = (subject: string, ...paragraphs: string[]): MessageText => ({ subject, body: paragraphs.join("\n\n") });
const GREETING = "Kære ((fornavn))";
const SIGNED = "Venlig hilsen\n((klinik))";

const ONLY_IN_PORTAL = "Af hensyn til patienten står beskeden kun i ((portal)), hvor du skal logge ind.";

const callUpLetter = text(
  "Indkaldelse fra ((klinik))",
  GREETING,
  "Din tandlæge har henvist dig til os.",
  "Ring til os på ((telefon)), så finder vi en tid, der passer dig. Sig til, når du ringer, hvis du har brug for tolk eller hjælp på dagen.",
  "((tolk))",
  SIGNED,
);

const appointmentLetter = text(
  "Din tid hos ((klinik))",
  GREETING,
  "Du har en tid hos ((klinik)) ((dato)) kl. ((klokkeslæt)).",
  "Kan du ikke komme, så ring til os på ((telefon)) i god tid, så en anden kan få tiden.",
  SIGNED,
);

/**
 * What may be written to whom, and the portal's own texts, used until the clinic writes others. SMS and plain mail say nothing of
 * health, since others may read them.
 */
const templates = {
  callUp: {
    receiver: "patient",
    may: ofTreatment,
    texts: {
      email: text(
        "Indkaldelse fra ((klinik))",
        GREETING,
        "Ring til os på ((telefon)), så finder vi en tid, der passer dig.",
        SIGNED,
      ),
      sms: text("", "Kære ((fornavn)). Ring til ((klinik)) på ((telefon)), så finder vi en tid, der passer dig."),
      eboks: callUpLetter,
      print: callUpLetter,
    },
  },
  appointmentLetter: {
    receiver: "patient",
    title: "Behandlingstid",
    may: ofTreatment,
    texts: { email: appointmentLetter, eboks: appointmentLetter, print: appointmentLetter },
  },
  appointmentReminder: {
    receiver: "patient",
    may: [...ofTime, "svarlink", "afbud"],
    texts: {
      sms: text("", "Kære ((fornavn)). Du har en tid hos ((klinik)) ((dato)) kl. ((klokkeslæt)). ((afbud))"),
    },
  },
  timeOffer: {
    receiver: "patient",
    title: "Tilbud om en ledig tid",
    must: ["svarlink"],
    may: [...ofTime, "svarfrist"],
    texts: {
      sms: text(
        "",
        "Kære ((fornavn)). ((klinik)) har fået en tid ledig ((dato)) kl. ((klokkeslæt)). Vil du have den, så svar senest ((svarfrist)): ((svarlink))",
      ),
    },
  },
  reminderReply: {
    receiver: "patient",
    may: ofTime,
    texts: { sms: text("", "Tak for beskeden. Tiden er aflyst, og vi kontakter dig om en ny. ((klinik))") },
  },
  cancellationUndone: {
    receiver: "patient",
    may: ofTime,
    texts: {
      sms: text(
        "",
        "Kære ((fornavn)). Afbuddet er slettet: du har fortsat din tid hos ((klinik)) ((dato)) kl. ((klokkeslæt)). Kan du ikke komme, så ring på ((telefon)).",
      ),
      email: text(
        "Du har fortsat din tid hos ((klinik))",
        GREETING,
        "Afbuddet er slettet: du har fortsat din tid hos ((klinik)) ((dato)) kl. ((klokkeslæt)).",
        "Kan du ikke komme, så ring til os på ((telefon)).",
        SIGNED,
      ),
    },
  },
  radiographLink: {
    receiver: "patient",
    title: "Røntgenbilleder",
    ...ofLink,
    texts: {
      sms: text("", "Kære ((fornavn)). Dine billeder fra ((klinik)) kan hentes her i ((dage)) dage: ((link))"),
      eboks: text(
        "Dine røntgenbilleder fra ((klinik))",
        GREETING,
        "Du kan hente dine røntgenbilleder her:\n((link))",
        "Linket er personligt. Del det kun med dem, der må se billederne. Det virker i ((dage)) dage.",
        SIGNED,
      ),
    },
  },
  letterFilesLink: {
    receiver: "patient",
    title: "Udskrivningsbrev til patienten",
    ...ofLink,
    texts: {
      sms: text("", "Kære ((fornavn)). Dit brev fra ((klinik)) kan hentes her i ((dage)) dage: ((link))"),
      eboks: text(
        "Dit udskrivningsbrev fra ((klinik))",
        GREETING,
        "Du kan hente brevet om din behandling her:\n((link))",
        "Linket er personligt. Del det kun med dem, der må læse brevet. Det virker i ((dage)) dage.",
        SIGNED,
      ),
    },
  },
  caseLink: {
    receiver: "patient",
    must: ["følglink"],
    may: ofPatient,
    texts: {
      sms: text("", "Kære ((fornavn)). Du er henvist til ((klinik)). Følg med i, hvad der sker: ((følglink))"),
    },
  },
  smsReply: {
    receiver: "patient",
    title: "Svar i SMS-tråd",
    may: ofTime,
    texts: { sms: text("", "Kære ((fornavn)). Tak for din besked. Vi vender tilbage. Venlig hilsen ((klinik))") },
  },
  smsReplyCallUs: {
    receiver: "patient",
    title: "Svar i SMS-tråd: ring til os",
    may: ofTime,
    texts: {
      sms: text("", "Kære ((fornavn)). Ring til os på ((telefon)), så hjælper vi dig. Venlig hilsen ((klinik))"),
    },
  },
  invoice: { receiver: "patient", may: ofTreatment, texts: { eboks: text("Faktura fra ((klinik))") } },
  estimate: {
    receiver: "patient",
    title: "Overslag",
    may: ofTreatment,
    texts: { eboks: text("Overslag fra ((klinik))") },
  },
  dischargeLetter: {
    receiver: "referrer",
    must: ["brevlink"],
    may: ["henviser", "henvisningsnr", "klinik", "telefon", "billedlink"],
    texts: {
      email: text(
        "Udskrivningsbrev til henvisning nr. ((henvisningsnr))",
        "Kære ((henviser))",
        "((klinik)) har skrevet et udskrivningsbrev til henvisning nr. ((henvisningsnr)).",
        "((brevlink))",
        "((billedlink))",
        "Af hensyn til patienten står brevet kun i portalen, hvor du skal logge ind. Har du spørgsmål, så ring til os på ((telefon)).",
        SIGNED,
      ),
    },
  },
  statusNews: {
    receiver: "referrer",
    must: ["sagslink"],
    may: ["henviser", "henvisningsnr", "status", "statusforklaring", "portal", "klinik"],
    texts: {
      email: text(
        "Henvisning nr. ((henvisningsnr)) har fået ny status",
        "Hej ((henviser)).",
        "Nyt om henvisning nr. ((henvisningsnr)): ((statusforklaring))",
        "Status i ((portal)): ((status)).",
        "((sagslink))",
        "Du får denne mail, fordi du står som henviser.",
      ),
    },
  },
  materialRequest: {
    receiver: "referrer",
    must: ["sagslink"],
    may: ["henviser", "henvisningsnr", "portal", "klinik"],
    texts: {
      email: text(
        "Henvisning nr. ((henvisningsnr)) mangler materiale",
        "Hej ((henviser)).",
        "((klinik)) mangler materiale for at kunne visitere henvisning nr. ((henvisningsnr)). Listen står øverst i henvisningen, hvor det også kan uploades.",
        "((sagslink))",
        "Af hensyn til patienten står det kun i ((portal)), hvor du skal logge ind.",
      ),
    },
  },
  materialReminder: {
    receiver: "referrer",
    must: ["sagslink"],
    may: ["henviser", "henvisningsnr", "portal", "klinik"],
    texts: {
      email: text(
        "Henvisning nr. ((henvisningsnr)) mangler stadig materiale",
        "Hej ((henviser)).",
        "((klinik)) mangler stadig materiale for at kunne visitere henvisning nr. ((henvisningsnr)). Den har beholdt sin plads i køen, men venter, til listen øverst i henvisningen er besvaret. Har du ikke materialet, kan du svare det.",
        "((sagslink))",
        "Af hensyn til patienten står det kun i ((portal)), hvor du skal logge ind.",
      ),
    },
  },
  messageNews: {
    receiver: "referrer",
    title: "Ny besked",
    must: ["beskedlink"],
    may: ["henvisningsnr", "portal", "klinik"],
    texts: {
      email: text(
        "Ny besked om henvisning nr. ((henvisningsnr))",
        "((klinik)) har skrevet en besked om henvisning nr. ((henvisningsnr)).",
        "((beskedlink))",
        ONLY_IN_PORTAL,
      ),
    },
  },
  passwordReset: {
    receiver: "user",
    must: ["adgangslink"],
    may: [...ofAccount, "brugernavn", "timer"],
    texts: {
      email: text(
        "Vælg en ny adgangskode til ((portal))",
        "Hej ((navn)).",
        "Du har bedt om en ny adgangskode til ((portal)). Dit brugernavn er ((brugernavn)). Vælg adgangskoden her inden for ((timer)) timer:",
        "((adgangslink))",
        "Har du ikke bedt om det, skal du ikke gøre noget: din adgangskode er uændret. Er du i tvivl, så skriv til ((support)).",
      ),
    },
  },
  newUser: {
    receiver: "user",
    must: ["adgangslink"],
    may: [...ofAccount, "brugernavn", "dage"],
    texts: {
      email: text(
        "Du er oprettet i ((portal))",
        "Hej ((navn)).",
        "Du er oprettet som bruger i ((portal)). Dit brugernavn er ((brugernavn)). Vælg din adgangskode her inden for ((dage)) dage:",
        "((adgangslink))",
        "Er linket udløbet, så vælg »Glemt adgangskode?«, hvor du logger ind. Er du i tvivl, så skriv til ((support)).",
      ),
    },
  },
  accountChanged: {
    receiver: "user",
    must: ["ændring", "tidspunkt"],
    may: ofAccount,
    texts: {
      email: text(
        "Din profil i ((portal)) er ændret",
        "Hej ((navn)).",
        "((ændring)) til din profil i ((portal)) blev ændret ((tidspunkt)).",
        "Var det ikke dig, og er det ikke aftalt med dig, så skriv straks til ((support)), eller ring på ((supporttelefon)).",
      ),
    },
  },
  accountMerged: {
    receiver: "user",
    must: ["samletprofil"],
    may: [...ofAccount, "brugernavn"],
    texts: {
      email: text(
        "Din profil i ((portal)) er samlet med en anden",
        "Hej ((navn)).",
        "Din profil ((brugernavn)) i ((portal)) er samlet med profilen ((samletprofil)). Log fremover ind som ((samletprofil)). Bruger du adgangskode, er det den profils. Dine henvisninger er flyttet med.",
        "Er det en fejl, eller kan du ikke logge ind, så skriv til ((support)), eller ring på ((supporttelefon)).",
      ),
    },
  },
  messageNewsToClinic: {
    receiver: "clinic",
    title: "Ny besked",
    must: ["beskedlink"],
    may: ["henvisningsnr", "portal", "klinik"],
    texts: {
      email: text(
        "Ny besked om henvisning nr. ((henvisningsnr))",
        "Henviseren har skrevet en besked om henvisning nr. ((henvisningsnr)).",
        "((beskedlink))",
        ONLY_IN_PORTAL,
      ),
    },
  },
  parkingReceipt: {
    receiver: "patient",
    must: ["referencenr"],
    may: ["nummerplade", "parkeringsdato", "klinik", "telefon"],
    texts: {
      sms: text(
        "",
        "Parkering hos ((klinik)) er booket ((parkeringsdato)). Nummerplade: ((nummerplade)). Referencenummer: ((referencenr))",
      ),
    },
  },
  parkingLimit: {
    receiver: "clinic",
    title: "Kvitteringer for parkering",
    must: ["parkeringslink"],
    may: ["antal", "portal"],
    texts: {
      email: text(
        "Der sendes ikke flere kvitteringer for parkering i dag",
        "Der er sendt ((antal)) kvitteringer for parkering i dag, og det er det højeste på én dag. Flere bookinger bliver registreret, men uden SMS.",
        "((parkeringslink))",
        "Ser bookingerne forkerte ud, så tjek, hvem der har adgang til parkeringssiden.",
      ),
    },
  },
  cancellationNews: {
    receiver: "clinic",
    title: "Afbud",
    must: ["sagslink"],
    may: ["henvisningsnr", "tid", "portal"],
    texts: {
      email: text(
        "Afbud til ((tid)) (nr. ((henvisningsnr)))",
        "Patienten i henvisning nr. ((henvisningsnr)) har meldt afbud til ((tid)).",
        "((sagslink))",
        "Er det en fejl, kan afbuddet fortrydes i ((portal)).",
      ),
    },
  },
  urgentAlarm: {
    receiver: "clinic",
    title: "Alarm",
    must: ["alarmer"],
    may: ["alarm", "oversigtslink", "portal"],
    texts: { email: text("((alarm))", "((alarmer)).", "((oversigtslink))", ONLY_IN_PORTAL) },
  },
} as const satisfies Partial<Record<Kind, Template>>;

export type TemplateKind = keyof typeof templates;

export const messageTemplates: Readonly<Record<TemplateKind, Template>> = templates;

export const templateKinds = Object.keys(templates) as TemplateKind[];

export const templateTitle = (kind: TemplateKind): string => messageTemplates[kind].title ?? messageKinds[kind].label;

export const defaultText = (kind: TemplateKind, channel: ChannelName): MessageText | null =>
  messageTemplates[kind].texts[channel] ?? null;
