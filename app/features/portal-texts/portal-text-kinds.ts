export const portalTexts = {
  conditions: { title: "Betingelser", standardButton: "Jeg accepterer" },
  management: { title: "Henvis online", standardButton: "" },
  infoPopup: { title: "Information", standardButton: "OK" },
} as const;

export type PortalTextKind = keyof typeof portalTexts;

export const portalTextKinds = Object.keys(portalTexts) as [PortalTextKind, ...PortalTextKind[]];

export interface PortalText {
  version: number;
  body: string;
  buttonText: string;
}
