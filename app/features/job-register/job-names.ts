const MINUTES = 60;

/** Jobs besides the lanes, with label and interval. Frequent jobs first check for work. */
export const jobNames = {
  removeExpired: { label: "Sletter det, der er udløbet", everySeconds: 10 * MINUTES },
  purgeFiles: { label: "Sletter filer, der er fjernet for længe siden", everySeconds: 10 * MINUTES },
  deleteEndedParking: { label: "Sletter nummerplader og mobilnumre fra gamle parkeringer", everySeconds: 10 * MINUTES },
  removeStrayFiles: { label: "Sletter filer, som ikke hører til en henvisning", everySeconds: 10 * MINUTES },
  settleOverdue: { label: "Afslutter beskeder, som udbyderen aldrig har svaret på", everySeconds: 60 * MINUTES },
  readLetterReports: { label: "Henter kvitteringer for breve", everySeconds: 5 * MINUTES },
  readBounces: { label: "Læser mails, der kom retur", everySeconds: MINUTES },
  importEdi: { label: "Indlæser henvisninger og breve, der kommer pr. EDI", everySeconds: 2 * MINUTES },
  sendAwaitedReferrals: { label: "Sender henvisninger, der har ventet på deres filer", everySeconds: MINUTES },
  settleLateMaterials: {
    label: "Lukker linjer med materiale, hvor resten af filerne udebliver",
    everySeconds: 60 * MINUTES,
  },
  remindOfMaterials: { label: "Minder henvisere om manglende materiale", everySeconds: 60 * MINUTES },
  sendAlarm: { label: "Sender alarm om det, der haster", everySeconds: MINUTES },
  sendDueReminders: { label: "Sender påmindelser", everySeconds: MINUTES },
  makeLetterBatch: { label: "Danner dagens brevbunke", everySeconds: 5 * MINUTES },
  placeSmsAnswers: { label: "Lægger patienters SMS-svar på deres henvisning", everySeconds: 2 },
  mailPasswordLinks: { label: "Sender links til ny adgangskode, bestilt med en e-mailadresse", everySeconds: 1 },
  countReferrals: { label: "Tæller statistikken op på ny", everySeconds: 1 },
  moveMerged: { label: "Flytter det, der hører til, når brugere eller klinikker fusioneres", everySeconds: 1 },
  importAppointments: { label: "Importerer patienttider", everySeconds: 1 },
} as const satisfies Record<string, { label: string; everySeconds: number }>;

export type JobName = keyof typeof jobNames;
