export interface WrittenLetter {
  diagnosis: string;
  treatment: string;
  medicine: string;
  followUp: string;
}

export const letterParts = [
  { name: "diagnosis", label: "Diagnose" },
  { name: "treatment", label: "Udført behandling" },
  { name: "medicine", label: "Medicin" },
  { name: "followUp", label: "Opfølgning" },
] as const satisfies readonly { name: keyof WrittenLetter; label: string }[];

interface About {
  receiver: string;
  patientName: string;
  cpr: string | null;
  referralId: number;
  images: readonly string[];
  surgeon: string | null;
  clinicName: string;
}

export const letterSubject = (referralId: number) => `Udskrivningsbrev, henvisning nr. ${referralId}`;

/** The letter as paragraphs separated by blank lines; empty parts are left out. */
export function letterBody(letter: Partial<WrittenLetter>, about: About): string {
  const { receiver, patientName, cpr, images, surgeon, clinicName } = about;
  const parts = letterParts.flatMap(({ name, label }) => {
    const text = letter[name]?.trim();
    return text ? [`${label}\n${text.replace(/\r\n/g, "\n").replace(/\n{2,}/g, "\n")}`] : [];
  });
  return [
    `Kære ${receiver}`,
    `Vedr. ${patientName}${cpr === null ? "" : `, CPR-nummer ${cpr}`}`,
    ...parts,
    ...(images.length > 0 ? [`Vedlagte billeder\n${images.join("\n")}`] : []),
    `Venlig hilsen\n${[surgeon, clinicName].filter(Boolean).join("\n")}`,
  ].join("\n\n");
}

export const MAX_SENDINGS = 2;

export const DECLINED_TEXT = "Patienten har frabedt sig brev til henviser";

export const NO_PDF_TEXT = "Pdf-filen mangler";
