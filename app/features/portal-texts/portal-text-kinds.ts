interface PortalTextOfKind {
  title: string;
  /** Standard words of its button; empty without one. */
  standardButton: string;
  /** Who reads it, and when. */
  where: string;
  /** What an empty field means. */
  empty?: string;
  /** Error of an empty field, where there must be a text. */
  required?: string;
  /** What follows from saving it. */
  saving?: string;
  isLong?: true;
}

const kinds = {
  conditions: {
    title: "Betingelser",
    standardButton: "Jeg accepterer",
    where: "Henvisere og tandlægesekretærer accepterer betingelserne, før de kan bruge portalen.",
    saving:
      "Når du gemmer, skal alle henvisere og tandlægesekretærer acceptere betingelserne på ny, næste gang de gør noget. Det, de er i gang med at skrive, står der endnu bagefter.",
    required: "Skriv betingelserne.",
    isLong: true,
  },
  management: {
    title: "Henvis online",
    standardButton: "",
    where:
      "Teksten står øverst på første trin af Henvis online. Jeres e-mail og telefon til support følger altid efter.",
    empty: "Et tomt felt: portalens egen tekst.",
  },
  urgent: {
    title: "Når det haster",
    standardButton: "",
    where:
      "Den, der henviser, læser teksten, når 'Haste henvisning' er valgt, og igen, når henvisningen er sendt. Telefonnummeret i brevhovedet og åbningstiderne fra 'Navne og frister' følger altid efter. Skriv gerne, hvor man ringer hen uden for åbningstid.",
    empty: "Et tomt felt: portalens egen tekst.",
  },
  infoPopup: {
    title: "Information",
    standardButton: "OK",
    where: "Tandlægesekretærer ser beskeden øverst på siden, hver gang de har logget ind, til de lukker den.",
    empty: "Et tomt felt: ingen besked.",
  },
} as const satisfies Record<string, PortalTextOfKind>;

export type PortalTextKind = keyof typeof kinds;

export const portalTexts: Readonly<Record<PortalTextKind, PortalTextOfKind>> = kinds;

export const portalTextKinds = Object.keys(kinds) as [PortalTextKind, ...PortalTextKind[]];

export interface PortalText {
  version: number;
  body: string;
  buttonText: string;
}
