import type { PortalTextKind } from "~/features/portal-texts/portal-text-kinds";

/** Where a text is shown, what an empty one means, and the effect of saving. */
export const explanations: Readonly<Record<PortalTextKind, { where: string; empty?: string; saving?: string }>> = {
  conditions: {
    where: "Henvisere og tandlægesekretærer accepterer betingelserne, før de kan bruge portalen.",
    saving:
      "Når du gemmer, skal alle henvisere og tandlægesekretærer acceptere betingelserne på ny, næste gang de gør noget. Det, de er i gang med at skrive, står der endnu bagefter.",
  },
  management: {
    where:
      "Teksten står øverst på første trin af Henvis online. Jeres e-mail og telefon til support følger altid efter.",
    empty: "Et tomt felt: portalens egen tekst.",
  },
  infoPopup: {
    where: "Tandlægesekretærer ser beskeden øverst på siden, hver gang de har logget ind, til de lukker den.",
    empty: "Et tomt felt: ingen besked.",
  },
};
