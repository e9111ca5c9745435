import type { Value, Values } from "./drawn-form";

/**
 * The forms that send what their person changed, as a person meets them. `fact` names what a control shows, so that two
 * forms which show one fact name it alike.
 */
export interface EditedForm {
  /** For the words of a failed sequence. */
  title: string;
  intent: string;
  /** Begins the ids of its fields. */
  idOf(referralId: number): string;
  fields: Readonly<Record<string, EditedField>>;
  groups: readonly (readonly string[])[];
  /** Its page shows it no more, once it is saved. */
  isClosedBySaving?: boolean;
  /** What is stored of these values; null where they are refused. `present` is what was stored before. */
  settle(values: Values, present: Values): Values | null;
}

interface EditedField {
  fact: string;
  /** Texts that a person may type; `offered` for what the control offers, `ticks` for boxes of one name. */
  values: readonly string[] | "offered" | "ticks";
}

/** A page with the forms that it draws. */
export interface EditedPage {
  addressOf(referralId: number): string;
  forms: readonly EditedForm[];
}

const BOX = ["on", ""] as const;
const named = (names: readonly string[], values: EditedField["values"]) =>
  Object.fromEntries(names.map((name) => [name, { fact: name, values }]));

/** A price as the form shows it. */
const shownPrice = (typed: Value | undefined) => (typed === "1250,5" ? "1.250,50" : typed === "4850" ? "4.850" : typed);

const contact = {
  address: ["Havnegade 3", "Åvej 12, 2. tv.", ""],
  zip: ["8000", "5000", "9000"],
  city: ["Aarhus C", "Odense C", "Aalborg"],
  mobile: ["10 20 30 41", "10 20 30 42", "10 20 30 43", ""],
  phone: ["10 40 50 61", "10 40 50 62", ""],
  email: ["a.jensen@eksempel.dk", "b.jensen@eksempel.dk", ""],
};

const patient: EditedForm = {
  title: "the patient part",
  intent: "editPatient",
  isClosedBySaving: true,
  idOf: () => "editPatient",
  fields: {
    firstName: { fact: "firstName", values: ["Åse", "Birgit", "Carla"] },
    lastName: { fact: "lastName", values: ["Kjær", "Møller", "Holm"] },
    cpr6: { fact: "cpr6", values: [] },
    cpr4: { fact: "cpr4", values: [] },
    address: { fact: "address", values: contact.address },
    zip: { fact: "zip", values: contact.zip },
    city: { fact: "city", values: contact.city },
    phone: { fact: "phone", values: contact.phone },
    mobilePhone: { fact: "mobilePhone", values: contact.mobile },
    email: { fact: "email", values: contact.email },
    patientDoesntHaveEboks: { fact: "patientDoesntHaveEboks", values: BOX },
  },
  groups: [
    ["cpr6", "cpr4", "firstName", "lastName"],
    ["address", "zip", "city"],
  ],
  settle: (values) => values,
};

const callUp: EditedForm = {
  title: "the contact of the call-up",
  intent: "updateCallUp",
  idOf: (id) => `callUp-${id}`,
  fields: {
    patientAddress: { fact: "address", values: contact.address },
    patientZip: { fact: "zip", values: contact.zip },
    patientCity: { fact: "city", values: contact.city },
    patientMobilePhone: { fact: "mobilePhone", values: contact.mobile },
    patientPhone: { fact: "phone", values: contact.phone },
    patientEmail: { fact: "email", values: contact.email },
    incallComment: { fact: "incallComment", values: ["Ring før kl. 12", "To linjer:\nring, og skriv så", ""] },
  },
  groups: [["patientAddress", "patientZip", "patientCity"]],
  settle: (values) => values,
};

const surgeon: EditedForm = {
  title: "the surgeon",
  intent: "setSurgeon",
  idOf: () => "setSurgeon",
  fields: named(["surgeonId"], "offered"),
  groups: [],
  settle: (values) => values,
};

const details: EditedForm = {
  title: "the details",
  intent: "editReferralDetails",
  isClosedBySaving: true,
  idOf: () => "editReferralDetails",
  fields: {
    visitType: { fact: "visitType", values: "offered" },
    externalId: { fact: "externalId", values: ["4711", "4712", ""] },
    externalDoctorId: { fact: "externalDoctorId", values: ["A-17", "B-18", ""] },
    triageUrgency: { fact: "triageUrgency", values: "offered" },
    hasAnaesthesia: { fact: "hasAnaesthesia", values: BOX },
    // A form asks before it makes a test of a referral.
    makeTest: { fact: "makeTest", values: [""] },
  },
  groups: [["visitType", "externalId"]],
  settle({ ...values }) {
    if (values.visitType !== "edi") return { ...values, externalId: "" };
    return values.externalId === "" ? null : values;
  },
};

const plan: EditedForm = {
  title: "the plan",
  intent: "editPlan",
  isClosedBySaving: true,
  idOf: () => "editPlan",
  fields: {
    operationDate: { fact: "operationDate", values: ["01.03.2027", "02.03.2027", ""] },
    operationTimeHours: { fact: "operationTimeHours", values: "offered" },
    operationTimeMinutes: { fact: "operationTimeMinutes", values: "offered" },
    operationDuration: { fact: "operationDuration", values: ["30", "45", ""] },
    treatmentType: { fact: "treatmentType", values: "offered" },
    surgeonId: { fact: "surgeonId", values: "offered" },
    surgeonComment: { fact: "surgeonComment", values: ["Husk blodprøver", "Første linje\nanden linje", ""] },
    price: { fact: "price", values: ["4850", "1250,5", "900", ""] },
  },
  groups: [["operationDate", "operationTimeHours", "operationTimeMinutes", "operationDuration"]],
  settle({ operationDate, operationTimeHours, operationTimeMinutes, operationDuration, price, ...others }, present) {
    const rest = { ...others, price: shownPrice(price)! };
    const [hour, minute] = [operationTimeHours || "00", operationTimeMinutes || "00"];
    // An imported time can stay, and nobody can choose such a one.
    const isHour = /^(00|0[7-9]|1\d|20)$/.test(hour as string) || hour === present.operationTimeHours;
    const isMinute = /^\d[05]$/.test(minute as string) || minute === present.operationTimeMinutes;
    if (operationDate !== "" && !(isHour && isMinute)) return null;
    if (operationDate !== "")
      return {
        ...rest,
        operationDate: operationDate!,
        operationTimeHours: hour,
        operationTimeMinutes: minute,
        operationDuration: operationDuration!,
      };
    const hasTime = operationTimeHours !== "" || minute !== "00" || operationDuration !== "";
    return hasTime
      ? null
      : { ...rest, operationDate, operationTimeHours: "", operationTimeMinutes: "00", operationDuration: "" };
  },
};

const names: EditedForm = {
  title: "names and deadlines",
  intent: "saveNamesAndDeadlines",
  idOf: () => "saveNamesAndDeadlines",
  fields: {
    status16Label: { fact: "status16Label", values: ["Afventer professor", "Til konference", ""] },
    statusActiveDays: { fact: "statusActiveDays", values: ["10", "20", ""] },
    messageMailAddress: { fact: "messageMailAddress", values: ["post@klinik.dk", "sekretariat@klinik.dk", ""] },
    offeredPrompts: { fact: "offeredPrompts", values: "ticks" },
  },
  groups: [],
  settle: (values) => values,
};

const opening: EditedForm = {
  title: "opening hours",
  intent: "saveOpeningHours",
  idOf: () => "saveOpeningHours",
  fields: {
    ...named(["openingHours1", "openingHours5", "openingHours7"], ["8–16", "8.30–15.30", ""]),
    closedDays: { fact: "closedDays", values: ["23.12.2026", "22.12.2026 Ferie\n23.12.2026", ""] },
  },
  groups: [],
  settle: (values) => values,
};

const medicines: EditedForm = {
  title: "critical medicines",
  intent: "saveCriticalMedicines",
  idOf: () => "saveCriticalMedicines",
  fields: { criticalMedicines: { fact: "criticalMedicines", values: ["marevan", "Xarelto\neliquis", ""] } },
  groups: [],
  settle: (values) => values,
};

const SLOTS = [1, 2, 3] as const;

const reminders: EditedForm = {
  title: "reminders",
  intent: "saveReminderSettings",
  idOf: () => "saveReminderSettings",
  fields: {
    ...named(["isOn", "skipsHolidays", "sendsCaseLink", "tellsImportedTimes"], BOX),
    ...named(["quietFrom", "quietTo", "hour1", "hour2", "hour3"], "offered"),
    ...named(["text1", "text2", "text3"], ["Husk din tid hos os.", "Husk din tid.\nRing, hvis du er syg.", ""]),
    days1: { fact: "days1", values: ["7", "8", ""] },
    days2: { fact: "days2", values: ["1", "2", ""] },
    days3: { fact: "days3", values: ["2", "3", ""] },
    excludedTypes: { fact: "excludedTypes", values: "ticks" },
  },
  groups: [...SLOTS.map((slot) => [`days${slot}`, `hour${slot}`, `text${slot}`]), ["quietFrom", "quietTo"]],
  settle(values) {
    const days = SLOTS.map((slot) => values[`days${slot}`]).filter(Boolean);
    if (new Set(days).size < days.length || (values.isOn === "on" && days.length === 0)) return null;
    const unused = SLOTS.filter((slot) => values[`days${slot}`] === "");
    // A reminder without days is none, so its hour and text are the usual ones.
    return Object.assign({}, values, ...unused.map((slot) => ({ [`hour${slot}`]: "10", [`text${slot}`]: "" })));
  },
};

/** What a sequence is about: pages whose forms may show the same facts. */
export interface Subject {
  title: string;
  pages: readonly EditedPage[];
}

const ofReferral = (part: string) => (id: number) => `/management/overview/${id}?ret=${part}`;

export const subjects: readonly Subject[] = [
  {
    title: "the open referral",
    pages: [
      { addressOf: ofReferral("patient"), forms: [patient, callUp, surgeon] },
      { addressOf: ofReferral("plan"), forms: [plan, callUp, surgeon] },
      { addressOf: ofReferral("henvisning"), forms: [details, callUp, surgeon] },
    ],
  },
  {
    title: "the settings",
    pages: [
      { addressOf: settingsPage("navne-og-frister"), forms: [names, opening, medicines] },
      { addressOf: settingsPage("paamindelser"), forms: [reminders] },
    ],
  },
];

function settingsPage(part: string) {
  return () => `/management/settings/${part}`;
}

export const listsOf = ({ fields }: EditedForm) =>
  Object.entries(fields).flatMap(([name, { values }]) => (values === "ticks" ? [name] : []));
