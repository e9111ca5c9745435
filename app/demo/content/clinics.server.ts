/**
 * Clinics and people of the demo, all invented: phone numbers begin with 10 (no Danish number does), e-mail addresses
 * end in eksempel.dk.
 */

export interface DemoClinic {
  key: "aaen" | "nordhavn" | "soeborg";
  name: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  mobilePhone: string | null;
  fax: string | null;
  email: string;
}

export const clinics: readonly DemoClinic[] = [
  {
    key: "aaen",
    name: "Tandlægerne på Åen",
    address: "Åboulevarden 31, 1. sal",
    zip: "8000",
    city: "Aarhus C",
    phone: "10 86 00 10",
    mobilePhone: null,
    fax: "10 86 00 19",
    email: "aaen@eksempel.dk",
  },
  {
    key: "nordhavn",
    name: "Tandhuset Nordhavn",
    address: "Skibsbroen 4",
    zip: "2150",
    city: "Nordhavn",
    phone: "10 35 00 20",
    mobilePhone: "10 35 00 21",
    fax: null,
    email: "nordhavn@eksempel.dk",
  },
  {
    key: "soeborg",
    name: "Søborg Tandklinik",
    address: "Torvegade 112",
    zip: "2860",
    city: "Søborg",
    phone: "10 39 00 30",
    mobilePhone: null,
    fax: null,
    email: "soeborg@eksempel.dk",
  },
];

export const demoClinic = {
  clinicName: "Kæbekirurgisk Klinik",
  address: "Operationsvej 7, 2. sal",
  zip: "8000",
  city: "Aarhus C",
  phone: "10 70 00 00",
  email: "kontakt@eksempel.dk",
  web: "www.eksempel.dk",
} as const;

export type DemoRole = "Admin" | "Surgeon" | "Secretary" | "Dentist Secretary" | "Dentist";

export interface DemoPerson {
  userName: string;
  firstName: string;
  lastName: string;
  role: DemoRole;
  clinics: readonly DemoClinic["key"][];
  email: string;
  phone: string | null;
  mobilePhone: string | null;
  /** 'Henviser id' in the clinic's journal system; some referrers have none. */
  dentistExternalId: string | null;
  isActive: boolean;
}

type Line = [
  userName: string,
  firstName: string,
  lastName: string,
  role: DemoRole,
  clinics: DemoClinic["key"][],
  externalId?: string,
];

const lines: readonly Line[] = [
  ["admin", "Charlotte", "Nørregaard Møller", "Admin", []],
  ["kirurg", "Lise", "Bjerregaard", "Surgeon", []],
  ["kirurg2", "Thomas", "Øllgaard", "Surgeon", []],
  ["sekretaer", "Hanne", "Vang Sørensen", "Secretary", ["aaen"]],
  ["sekretaer2", "Pia", "Lykkegård", "Secretary", ["nordhavn", "soeborg"]],
  ["tandlaegesekretaer", "Rikke", "Damgård", "Dentist Secretary", ["soeborg"]],
  ["tandlaege", "Mette", "Kjærgaard", "Dentist", ["aaen"], "10231"],
  ["osoerensen", "Ole", "Sørensen", "Dentist", ["aaen"], "10232"],
  ["afjeldsoee", "Astrid", "Fjeldsøe", "Dentist", ["aaen"], "10236"],
  ["jhaugaard", "Jørgen", "Haugaard", "Dentist", ["aaen"]],
  ["tandlaege2", "Nanna", "Lund", "Dentist", ["nordhavn"], "10341"],
  ["vkrogh", "Viggo", "Krogh", "Dentist", ["nordhavn"], "10342"],
  ["zyilmaz", "Zeynep", "Yılmaz", "Dentist", ["nordhavn"], "10345"],
  ["bdahl", "Bjørn", "Dahl", "Dentist", ["nordhavn", "soeborg"], "10347"],
  ["uoestergaard", "Ulla", "Østergaard", "Dentist", ["soeborg"], "10411"],
  ["ktoft", "Kjeld", "Toft", "Dentist", ["soeborg"], "10412"],
  ["ewinther", "Ellen", "Winther", "Dentist", ["soeborg"]],
  ["aaegidius", "Åge", "Ægidius", "Dentist", ["soeborg"], "10418"],
];

/** Two surgeons, an administrator, three secretaries and twelve referrers; the last one is inactive. */
export const portalPeople: readonly DemoPerson[] = lines.map(
  ([userName, firstName, lastName, role, atClinics, externalId], index) => ({
    userName,
    firstName,
    lastName,
    role,
    clinics: atClinics,
    email: `${userName}@eksempel.dk`,
    phone: role === "Dentist" ? `10 9${index % 10} 00 ${String(10 + index)}` : null,
    mobilePhone: index % 3 === 0 ? `10 2${index % 10} 00 ${String(10 + index)}` : null,
    dentistExternalId: externalId ?? null,
    isActive: userName !== "aaegidius",
  }),
);

/**
 * For payment types 1 to 3: an insurer, and institutions whose EAN numbers have a wrong check digit, so that none is
 * real.
 */
export const payers = {
  insurers: ["Forsikringsselskabet Fjord", "Bælt Forsikring", "Nordlys Ulykke"],
  institutions: [
    {
      regionNumber: "5790000000011",
      institution: "Regionstandplejen, afsnit Nord",
      address: "Hospitalsvej 1",
      zip: "9000",
      city: "Aalborg",
    },
    {
      regionNumber: "5790000000028",
      institution: "Regionstandplejen, afsnit Øst",
      address: "Sygehusvej 10",
      zip: "4000",
      city: "Roskilde",
    },
    {
      regionNumber: "5790000000035",
      institution: "Den kommunale tandpleje, Søborg",
      address: "Skolegade 5",
      zip: "2860",
      city: "Søborg",
    },
  ],
} as const;
