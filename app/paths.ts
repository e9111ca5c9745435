import type { AccountGroup } from "./access/actor";

export function withParam(query: string, name: string, value: string | number): string {
  const params = new URLSearchParams(query);
  params.set(name, String(value));
  return params.toString();
}

/** Parameter of the closing question asked from the list: the number of the referral that is open in it, or 0. */
export const FROM_LIST = "liste";

export const CONTROLS = "betjening";

/** Address of the list, scrolled to its controls, with its filter but without picks. */
export function controlsOf(list: string, above: string): string {
  const params = new URLSearchParams(above.split("?")[1] ?? "");
  for (const name of ["valgt", "alle"]) params.delete(name);
  const query = params.toString();
  return `${list}${query && `?${query}`}#${CONTROLS}`;
}

export const accountGroupSlugs = { staff: "personale", referrers: "henvisere" } as const;

/** Apart from `paths`, which every page's script has whole. */
export const externalSignInPath = (group: AccountGroup) => `/login/ekstern/${accountGroupSlugs[group]}`;

/** Every URL by an English name. Paths never change, since mails and bookmarks contain them. */
export const paths = {
  login: "/login",
  management: "/management",
  overview: "/management/overview",
  massChange: "/management/overview/masse",
  setUp: "/management/overview/opsaetning",
  referral: (referralId: number) => `/management/overview/${referralId}`,
  referralPdf: (referralId: number) => `/management/overview/${referralId}/pdf`,
  dischargeLetters: "/management/ending-letter",
  wizard: "/management/henvisning-tandlaeger",
  newReferral: (formKey: string, samePatientAs?: number) =>
    `/management/henvisning-tandlaeger?form=${formKey}${samePatientAs === undefined ? "" : `&patient=${samePatientAs}`}`,
  samePatient: (referralId: number) => `/management/henvisning-tandlaeger?patient=${referralId}`,
  wizardStep: (referralId: number, step: number) =>
    `/management/henvisning-tandlaeger?kladde=${referralId}&trin=${step}`,
  openInWizard: (referralId: number) => `/management/henvisning-tandlaeger?visitId=${referralId}`,
  drafts: "/management/draft-visits",
  callUps: "/management/call-up-letters",
  letterArchive: "/management/call-up-letters/arkiv",
  letterBatch: (batchId: number) => `/management/call-up-letters/arkiv/${batchId}.pdf`,
  callUpPdf: (visitLogId: number) => `/management/call-up-letters/pdf/${visitLogId}`,
  parking: "/management/parking",
  bookParking: "/book-parking",
  sms: "/management/sms",
  smsThread: (referralId: number) => `/management/sms/${referralId}`,
  smsUnplaced: "/management/sms/ikke-placerede",
  smsPossiblyCancelled: "/management/sms?f=muligvis",
  smsAlarming: "/management/sms?f=haster",
  logs: "/management/logs",
  accessLog: (f = "", more: Record<string, string | number> = {}) =>
    `/management/logs?${new URLSearchParams({ type: "adgang", ...(f === "" ? {} : { f }), ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])) }).toString()}`,
  accessSample: "/management/logs/stikproeve",
  accessInsight: (f: string) => `/management/logs/indsigt.pdf?f=${encodeURIComponent(f)}`,
  failures: "/management/logs?type=fejl",
  ediToDecide: "/management/logs?type=edi&status=person",
  logMessage: (messageId: number) => `/management/logs/${messageId}`,
  logMail: (messageId: number) => `/management/logs/${messageId}/indhold`,
  appointments: "/management/sms?log=1#upload",
  /** Action of the upload form; a hash would be carried to the answer. */
  appointmentUpload: "/management/sms?log=1",
  appointmentFiles: "/management/aftaletider",
  appointmentFile: (fileId: number) => `/management/aftaletider/${fileId}`,
  importProgress: (fileId: number) => `/api/Appointments/csv/track-process?fileTrackId=${fileId}`,
  statistics: "/management/statistics",
  statisticsPlot: (plot: string, from: string, to: string) =>
    `/management/statistics/tal.csv?plot=${plot}&fra=${from}&til=${to}`,
  profile: "/management/change-password",
  clinics: "/management/clinics",
  newClinic: "/management/clinics/opret",
  users: "/management/users",
  newUser: "/management/users/opret",
  mergeUsers: "/management/users/fusioner",
  mergeClinics: "/management/clinics/fusioner",
  settings: "/management/settings",
  settingsForms: "/management/settings?index",
  messageTexts: "/management/settings/beskeder",
  messageText: (kind: string, channel: string) => `/management/settings/beskeder/${kind}/${channel}`,
  messageTextPdf: (kind: string, channel: string, text: { subject: string; body: string }) =>
    `/management/settings/beskeder/${kind}/${channel}/brev.pdf?${new URLSearchParams({ ...text }).toString()}`,
  portalTexts: "/management/settings/tekster",
  portalText: (kind: string) => `/management/settings/tekster/${kind}`,
  directoryImport: "/management/settings/import",
  directoryDryRun: (planId: number, page = 1) =>
    `/management/settings/import?plan=${planId}${page > 1 ? `&page=${page}` : ""}`,
  importTemplate: (kind: string) => `/management/settings/import/skabelon.csv?type=${kind}`,
  reminderSettings: "/management/settings/paamindelser",
  nameSettings: "/management/settings/navne-og-frister",
  answerSettings: "/management/settings/sms-svar",
  jobs: "/management/settings/job",
  apiKeys: (revoke?: number) =>
    `/management/settings/api-noegler${revoke === undefined ? "" : `?tilbagekald=${revoke}`}`,
  letterSettings: "/management/settings/breve",
  letterSample: "/management/settings/breve/brev.pdf",
  terms: "/management/betingelser",
  ownPassword: "/management/ny-adgangskode",
  setUpSecondFactor: "/management/totrinslogin",
  security: (asked?: string) => `/management/change-password/sikkerhed${asked === undefined ? "" : `?sp=${asked}`}`,
  account: "/management/konto",
  help: "/management/hjaelp",
  outbox: "/dev/outbox",
  outboxFile: (outboxId: number) => `/dev/outbox/${outboxId}.pdf`,
} as const;

/** The status that the question over a page asks about; 'Afsluttet' without it. */
export const ASKED_STATUS = "status";

/** Addresses that only the server writes; apart from `paths`, which every page's script has whole. */
export const serverPaths = {
  resetPassword: "/change-password",
  webhooks: "/webhooks/",
  statusQuestion: (referralId: number) => `/management/overview/${referralId}/afslut`,
  exportPage: (filter: string | null, ids: readonly number[]) => {
    const query = new URLSearchParams(filter ? { f: filter } : {});
    for (const id of ids) query.append("pick", String(id));
    const asked = query.toString();
    return `/management/overview/eksport${asked && `?${asked}`}`;
  },
  exportCsv: (sealed: string) => `/management/overview/eksport.csv?e=${encodeURIComponent(sealed)}`,
  letterPage: (referralId: number, letterNumber: number, kind: "pdf" | "zip", mailedTo: number | null) =>
    `/management/overview/${referralId}?brev=${letterNumber}&som=${kind}${mailedTo === null ? "" : `&mid=${mailedTo}`}`,
  mailedLetter: (referralId: number, letterNumber: number, kind: "pdf" | "zip", mailedTo: number) =>
    `/management?vid=${referralId}&mid=${mailedTo}&${kind === "pdf" ? "trmPdf" : "trmZip"}=true&num=${letterNumber}`,
  visitSent: (referralId: number) => `/management/visit-sent?nr=${referralId}`,
  callUpMany: (ids: readonly number[], type: number) =>
    `/management/call-up-letters/masse?nr=${ids.join("-")}&type=${type}`,
  /** A list of statistics as CSV: type 0 treatments, 1 referrers. */
  statisticsList: (dataType: number, from: string, to: string) =>
    `/management/statistics/liste.csv?type=${dataType}&fra=${from}&til=${to}`,
  clinic: (clinicId: number) => `/management/clinics?aaben=${clinicId}#r${clinicId}`,
  user: (userId: number) => `/management/users?aaben=${userId}#r${userId}`,
  treatmentType: (id: number) => `/management/settings#behandlingstype-${id}`,
};
