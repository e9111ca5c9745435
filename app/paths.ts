/** A query with one parameter set. */
export function withParam(query: string, name: string, value: string | number): string {
  const params = new URLSearchParams(query);
  params.set(name, String(value));
  return params.toString();
}

/** Where a list's buttons stand: what a merge leads back to. */
export const CONTROLS = "betjening";

/** A list at its buttons, filtered as it was behind a page above it, and without what was picked. */
export function controlsOf(list: string, above: string): string {
  const params = new URLSearchParams(above.split("?")[1] ?? "");
  for (const name of ["valgt", "alle"]) params.delete(name);
  const query = params.toString();
  return `${list}${query && `?${query}`}#${CONTROLS}`;
}

/** Every URL of the portal by an English name. The paths themselves are fixed: mails and bookmarks hold them. */
export const paths = {
  login: "/login",
  resetPassword: "/change-password",
  pdfVisit: (referralId: number) => `/pdf/visit?id=${referralId}`,
  /** Where providers tell what became of a message; each has its own below. */
  webhooks: "/webhooks/",
  management: "/management",
  overview: "/management/overview",
  /** The question whether the files go when a referral is closed; `list` is the query of the list behind it. */
  closeReferral: (referralId: number, list: string) =>
    `/management/overview/afslut?${withParam(list, "nr", referralId)}`,
  /** The question before all that match a filter change. */
  massChange: "/management/overview/masse",
  exports: "/management/overview/eksport",
  exportCsv: (sealed: string) => `/management/overview/eksport.csv?e=${encodeURIComponent(sealed)}`,
  /** The patient's page of one appointment. */
  appointmentAnswer: (token: string) => `/aftale?tk=${token}`,
  /** The question before it is cancelled. */
  appointmentCancel: (token: string) => `/aftale?tk=${token}&afbud=1`,
  appointmentCalendar: (token: string) => `/aftale/tid.ics?tk=${token}`,
  referral: (referralId: number) => `/management/overview/${referralId}`,
  referralPdf: (referralId: number) => `/management/overview/${referralId}/pdf`,
  referralFile: (referralId: number, fileId: number) => `/management/overview/${referralId}/files/${fileId}`,
  /** `adjustments`: frame, brightness and contrast of a DICOM image, where they are not its own. */
  referralPreview: (
    referralId: number,
    fileId: number,
    size: "thumb" | "view" | "full",
    adjustments: Record<string, number> = {},
  ) =>
    `/management/overview/${referralId}/files/${fileId}/preview?size=${size}${Object.entries(adjustments)
      .map(([name, value]) => `&${name}=${value}`)
      .join("")}`,
  /** All images in one ZIP. */
  referralImagesZip: (referralId: number) => `/management/overview/${referralId}/billeder.zip`,
  /** The dialog RØNTGENBILLEDER. */
  uploadImages: (referralId: number) => `/management/overview/${referralId}/roentgenbilleder`,
  deleteImage: (referralId: number, fileId: number) => `/management/overview/${referralId}/images/${fileId}/slet`,
  referralImage: (referralId: number, fileId: number) => `/management/overview/${referralId}/images/${fileId}`,
  /** Where images arrive in parts (tus); below it one address per upload. */
  uploads: "/management/uploads",
  upload: (uploadId: string) => `/management/uploads/${uploadId}`,
  letter: (referralId: number, letterNumber: number, kind: "pdf" | "zip" | "images", mailedTo: number | null = null) =>
    `/management/overview/${referralId}/breve/${letterNumber}?som=${kind}${mailedTo === null ? "" : `&mid=${mailedTo}`}`,
  /** The open referral, where the download of a letter begins by itself. */
  letterPage: (referralId: number, letterNumber: number, kind: "pdf" | "zip", mailedTo: number | null) =>
    `/management/overview/${referralId}?brev=${letterNumber}&som=${kind}${mailedTo === null ? "" : `&mid=${mailedTo}`}`,
  /** A patient's own radiographs; `tk` in the query says whose. Below it the files, their pictures and the ZIP. */
  patientRadiographs: (token: string) => `/xr?tk=${token}`,
  patientRadiograph: (fileId: number, token: string) => `/xr/fil/${fileId}?tk=${token}`,
  patientPicture: (fileId: number, token: string) => `/xr/vis/${fileId}?tk=${token}`,
  patientRadiographsZip: (token: string) => `/xr/alle.zip?tk=${token}`,
  /** A patient's own discharge letter. */
  patientLetter: (token: string) => `/dl?tk=${token}`,
  patientLetterZip: (token: string) => `/dl/alle.zip?tk=${token}`,
  /** What a mail to a referrer holds: it leads to the same by way of sign-in. */
  mailedLetter: (referralId: number, letterNumber: number, kind: "pdf" | "zip", mailedTo: number) =>
    `/management?vid=${referralId}&mid=${mailedTo}&${kind === "pdf" ? "trmPdf" : "trmZip"}=true&num=${letterNumber}`,
  dischargeLetters: "/management/ending-letter",
  /** The question before a letter is deleted, over the list or over the open referral; `query` is that page's. */
  deleteLetter: (referralId: number, letterNumber: number, query = "") =>
    `/management/ending-letter/${referralId}/${letterNumber}/slet${query}#slet`,
  deleteReferralLetter: (referralId: number, letterNumber: number, query = "") =>
    `/management/overview/${referralId}/breve/${letterNumber}/slet${query}#slet`,
  /** 'Skriv udskrivningsbrev'. */
  writeLetter: (referralId: number, letterNumber: number) =>
    `/management/ending-letter/${referralId}/${letterNumber}/skriv`,
  wizard: "/management/henvisning-tandlaeger",
  /** A new referral's form by its key: who comes back to the address finds what was typed, or the draft that it became. */
  newReferral: (formKey: string, samePatientAs?: number) =>
    `/management/henvisning-tandlaeger?form=${formKey}${samePatientAs === undefined ? "" : `&patient=${samePatientAs}`}`,
  /** 'Ny henvisning for samme patient': one more for the patient of this one. */
  samePatient: (referralId: number) => `/management/henvisning-tandlaeger?patient=${referralId}`,
  wizardStep: (referralId: number, step: number) =>
    `/management/henvisning-tandlaeger?kladde=${referralId}&trin=${step}`,
  openInWizard: (referralId: number) => `/management/henvisning-tandlaeger?visitId=${referralId}`,
  visitSent: (referralId: number) => `/management/visit-sent?nr=${referralId}`,
  drafts: "/management/draft-visits",
  callUps: "/management/call-up-letters",
  /** Those picked, before they are called up together. */
  callUpMany: (ids: readonly number[], type: number) =>
    `/management/call-up-letters/masse?nr=${ids.join("-")}&type=${type}`,
  /** Batches of letters: `from` and `to` stand in the query. */
  letterArchive: "/management/call-up-letters/arkiv",
  letterBatch: (batchId: number) => `/management/call-up-letters/arkiv/${batchId}.pdf`,
  /** The PDF of one line of a call-up log. */
  callUpPdf: (visitLogId: number) => `/management/call-up-letters/pdf/${visitLogId}`,
  parking: "/management/parking",
  /** Where the public registers a car. */
  bookParking: "/book-parking",
  sms: "/management/sms",
  /** The same with one visit open. */
  smsThread: (referralId: number) => `/management/sms/${referralId}`,
  /** Answers that nobody has placed. */
  smsUnplaced: "/management/sms/ikke-placerede",
  logs: "/management/logs",
  /** Who saw or changed what; `f` is its sealed filter. */
  accessLog: (f = "", more: Record<string, string | number> = {}) =>
    `/management/logs?${new URLSearchParams({ type: "adgang", ...(f === "" ? {} : { f }), ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])) }).toString()}`,
  /** The same for the patient whom the filter names. */
  accessInsight: (f: string) => `/management/logs/indsigt.pdf?f=${encodeURIComponent(f)}`,
  /** What failed, as work. */
  failures: "/management/logs?type=fejl",
  /** What one mail or SMS said. */
  logMessage: (messageId: number) => `/management/logs/${messageId}`,
  /** A mail's HTML, for a frame. */
  logMail: (messageId: number) => `/management/logs/${messageId}/indhold`,
  /** The upload of patients' times, and its log. */
  appointments: "/management/sms?log=1#upload",
  /** Where its form is sent. A mark in the address would be carried on to the page that answers. */
  appointmentUpload: "/management/sms?log=1",
  appointmentFile: (fileId: number) => `/management/aftaletider/${fileId}`,
  /** How far an import has come, for a script that follows it. */
  importProgress: (fileId: number) => `/api/Appointments/csv/track-process?fileTrackId=${fileId}`,
  statistics: "/management/statistics",
  /** A list of statistics as CSV: type 0 treatments, 1 doctors. */
  statisticsList: (dataType: number, from: string, to: string) =>
    `/management/statistics/liste.csv?type=${dataType}&fra=${from}&til=${to}`,
  /** The numbers of a plot as CSV. */
  statisticsPlot: (plot: string, from: string, to: string) =>
    `/management/statistics/tal.csv?plot=${plot}&fra=${from}&til=${to}`,
  profile: "/management/change-password",
  clinics: "/management/clinics",
  clinic: (clinicId: number) => `/management/clinics?aaben=${clinicId}#r${clinicId}`,
  newClinic: "/management/clinics/opret",
  users: "/management/users",
  user: (userId: number) => `/management/users?aaben=${userId}#r${userId}`,
  newUser: "/management/users/opret",
  mergeUsers: "/management/users/fusioner",
  mergeClinics: "/management/clinics/fusioner",
  settings: "/management/settings",
  /** Where the forms of that page are sent: an index route is told from what is nested in it. */
  settingsForms: "/management/settings?index",
  treatmentType: (id: number) => `/management/settings#behandlingstype-${id}`,
  /** The texts of messages; each kind and channel has an address of its own below it. */
  messageTexts: "/management/settings/beskeder",
  messageText: (kind: string, channel: string) => `/management/settings/beskeder/${kind}/${channel}`,
  /** The letter that a text would become, for an invented patient. */
  messageTextPdf: (kind: string, channel: string, text: { subject: string; body: string }) =>
    `/management/settings/beskeder/${kind}/${channel}/brev.pdf?${new URLSearchParams({ ...text }).toString()}`,
  /** Conditions, the wizard's introduction and the secretaries' popup; each has an address of its own below it. */
  portalTexts: "/management/settings/tekster",
  portalText: (kind: string) => `/management/settings/tekster/${kind}`,
  /** Clinics and referrers from a file. */
  directoryImport: "/management/settings/import",
  directoryDryRun: (planId: number, page = 1) =>
    `/management/settings/import?plan=${planId}${page > 1 ? `&page=${page}` : ""}`,
  importTemplate: (kind: string) => `/management/settings/import/skabelon.csv?type=${kind}`,
  reminderSettings: "/management/settings/paamindelser",
  /** How the SMS of patients are read. */
  nameSettings: "/management/settings/navne-og-frister",
  answerSettings: "/management/settings/sms-svar",
  jobs: "/management/settings/job",
  /** The keys of other systems; `revoke` is the one whose question stands open. */
  apiKeys: (revoke?: number) =>
    `/management/settings/api-noegler${revoke === undefined ? "" : `?tilbagekald=${revoke}`}`,
  letterSettings: "/management/settings/breve",
  /** A letter as the settings make it. */
  letterSample: "/management/settings/breve/brev.pdf",
  terms: "/management/betingelser",
  /** Choosing a password of one's own, where somebody else chose the one that was signed in by. */
  ownPassword: "/management/ny-adgangskode",
  /** Setting up the second factor, where it is required. */
  setUpSecondFactor: "/management/totrinslogin",
  /** The part of the profile that is about signing in; `asked` is the question that stands open there. */
  security: (asked?: string) => `/management/change-password/sikkerhed${asked === undefined ? "" : `?sp=${asked}`}`,
  account: "/management/konto",
  outbox: "/dev/outbox",
  outboxFile: (outboxId: number) => `/dev/outbox/${outboxId}.pdf`,
  kit: "/dev/kit",
} as const;
