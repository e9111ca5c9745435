/** Reasons for a likely duplicate: same e-mail, same Henviser id, or same name in the same clinic or town. */
export type Likeness = "email" | "dentistId" | "name";

const placeNames: Readonly<Record<string, string>> = {
  "referral.referrer_id": "Henvisning nr.",
  "referral.creator_id": "Oprettet henvisning nr.",
  "referral.clinic_id": "Henvisning nr.",
  "message.author_id": "Besked nr.",
  "referral_file.uploader_id": "Fil nr.",
  "edi_sender.referrer_id": "EDI-afsender nr.",
  "autosave.user_id": "Halvt udfyldt formular nr.",
  "staged_upload.owner_id": "Ventende fil nr.",
  "user_clinic.user_id": "Klinik nr.",
  "user_clinic.clinic_id": "Bruger nr.",
  "user.first_name": "Fornavn",
  "user.last_name": "Efternavn",
  "user.email": "E-mail",
  "user.phone": "Telefon",
  "user.mobile_phone": "Mobil",
  "user.status": "Status",
  "user.dentist_external_id": "Henviser id",
  "user.edi_dentist_id": "EDI Henviser id",
  "user.send_ending_letters_via_edi": "Send Udskrivningsbrev via EDI",
  "user.roles": "Rolle",
  "user.external_subject": "Tilknytningen hos login-udbyderen",
  "clinic.name": "Titel",
  "clinic.email": "Email",
  "clinic.phone": "Telefon",
  "clinic.mobile_phone": "Mobil",
  "clinic.address": "Adresse",
  "clinic.zip": "Postnummer",
  "clinic.city": "By",
  "clinic.status": "Status",
};

export function leftLines(left: { place: string; id: number }[]): string[] {
  const mergedColumns = [...new Set(left.map(({ place }) => place))];
  return mergedColumns.map((place) => {
    const name = placeNames[place] ?? place;
    const ids = left.filter((row) => row.place === place).map(({ id }) => id);
    return name.endsWith("nr.") ? `${name} ${ids.join(", ")}` : name;
  });
}

export const likenessWords: Readonly<Record<Likeness, string>> = {
  dentistId: "samme Henviser id",
  email: "samme e-mail",
  name: "samme navn og klinik",
};

export const YES = "on";
export const NO = "off";

export const TYPED = "(andet)";

export const MAX_SELECTED = 6;

export function picksIn(text: string | null | undefined): number[] {
  const ids = (text ?? "").split(".").filter((id) => /^\d{1,12}$/.test(id));
  return [...new Set(ids.map(Number))].slice(0, MAX_SELECTED);
}

export const picksParam = (ids: number[]): string | null => (ids.length > 0 ? ids.join(".") : null);

export function picksOf(address: string | undefined): { valgt?: string } {
  const valgt = picksParam(picksIn(new URLSearchParams((address ?? "").split("?")[1]).get("valgt")));
  return valgt === null ? {} : { valgt };
}

export const chosenColumns = {
  user: [
    "firstName",
    "lastName",
    "email",
    "phone",
    "mobilePhone",
    "status",
    "dentistExternalId",
    "ediDentistId",
    "sendEndingLettersViaEdi",
  ],
  clinic: ["name", "email", "phone", "mobilePhone", "address", "zip", "city", "status"],
} as const;
