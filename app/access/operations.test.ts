/// <reference types="vite/client" />
import { describe, expect, test } from "vitest";
import type { Operation } from "./operation.server";
import type { Actor, Role } from "./actor";
import { can } from "./permissions";

const roles: Role[] = ["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"];

/** Who may run each operation: A admin, S surgeon, C secretary, D dentist secretary, T dentist, - nobody signed in, * anyone at all. */
const table: Record<string, string> = {
  acceptConditions: "ASCDT",
  addRadiographs: "ASCDT",
  applyFilter: "ASCDT",
  "appointments.failImport": "-",
  "appointments.importRows": "-",
  "appointments.readWaiting": "-",
  beginRadiographUpload: "ASCDT",
  cancelUpload: "ASCDT",
  askAllStatuses: "AS",
  askDeleteRadiograph: "AS",
  askClosing: "AS",
  changePassword: "ASCDT",
  changeProfile: "ASCDT",
  changeReferrer: "AS",
  checkCpr: "ASCDT",
  chooseLightEdition: "ASCDT",
  closeBrowserWarning: "ASCDT",
  closeCallUpStats: "AS",
  closeInfoPopup: "ASCDT",
  createAdminAccount: "-",
  createQuickProfile: "CD",
  createReferrer: "CD",
  deleteRadiograph: "AS",
  deleteDraft: "ASCDT",
  downloadLetter: "ASCDT",
  downloadExport: "AS",
  downloadPreview: "ASCDT",
  downloadRadiographs: "ASCDT",
  downloadReferralFile: "ASCDT",
  downloadReferralPdf: "ASCDT",
  downloadVisitFile: "ASCDT",
  dropTyped: "ASCDT",
  editCase: "AS",
  editMessage: "ASCDT",
  editPatient: "AS",
  editPlan: "AS",
  exportByDates: "AS",
  exportFiltered: "AS",
  exportPicked: "AS",
  fetchAddress: "ASCDT",
  fetchKnownPatient: "ASCDT",
  filterDrafts: "ASCDT",
  finishRadiographUpload: "ASCDT",
  forgotPassword: "*",
  holdUploads: "ASCDT",
  keepInput: "*",
  keepTyped: "ASCDT",
  keepUntilAccepted: "ASCDT",
  listAppointmentFiles: "AS",
  listClinics: "ASCDT",
  listDoctors: "ASCD",
  listDrafts: "ASCDT",
  listMessages: "ASCDT",
  listReferrals: "ASCDT",
  listSurgeons: "AS",
  listTreatmentTypes: "ASCDT",
  listVisits: "ASCDT",
  markMessages: "ASCDT",
  moreFilters: "ASCDT",
  moveToOverview: "ASCDT",
  moveToSignIn: "*",
  "outbox.readDue": "-",
  "outbox.send": "-",
  pageDrafts: "ASCDT",
  patchVisit: "AS",
  readAccount: "ASCDT",
  readAppointmentFile: "AS",
  readCallUps: "AS",
  readClinic: "ASCDT",
  readConditions: "ASCDT",
  readDevelopmentPage: "*",
  readExportPage: "AS",
  readInfoPopup: "ASCDT",
  readImage: "ASCDT",
  readKeptMail: "*",
  readLastExport: "AS",
  readPdfPage: "ASCDT",
  readProfile: "ASCDT",
  readProvenance: "AS",
  readPublicSettings: "*",
  readRadiographUpload: "ASCDT",
  readReceipt: "ASCDT",
  readReferral: "ASCDT",
  readSentLetters: "ASCDT",
  readShell: "ASCDT",
  readSignIn: "*",
  readVisit: "ASCDT",
  readVisitLog: "AS",
  readUploadDialog: "ASCDT",
  readWizard: "ASCDT",
  regenerateReferralPdf: "AS",
  removeExpired: "-",
  removeRadiograph: "ASCDT",
  resetPassword: "*",
  restoreRadiograph: "AS",
  retryRadiographExport: "AS",
  restoreDraft: "ASCDT",
  savePatient: "ASCDT",
  saveReferrer: "ASCDT",
  saveVisit: "AS",
  searchReferrers: "ASCD",
  sendReferral: "ASCDT",
  sendStatus: "AS",
  setRadiographType: "ASCDT",
  setAllStatuses: "AS",
  setStaffAddress: "AS",
  setStatus: "AS",
  setStatuses: "AS",
  setSurgeon: "AS",
  setUploadType: "ASCDT",
  signIn: "*",
  signOut: "*",
  startImport: "AS",
  trackImport: "AS",
  undoStatuses: "AS",
  uploadAppointments: "AS",
  writeMessage: "ASCDT",
};

const letters: Record<string, Role> = { A: "Admin", S: "Surgeon", C: "Secretary", D: "Dentist Secretary", T: "Dentist" };

const modules = import.meta.glob<Record<string, unknown>>("../features/**/*.server.{ts,tsx}", { eager: true });

const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "permission" in value && "perform" in value;

const operations = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isOperation);

const person = (role: Role): Actor => ({
  kind: "person",
  id: 1,
  userName: "a",
  firstName: "A",
  lastName: "B",
  email: "",
  roles: [role],
  clinicIds: [],
  primaryClinicId: null,
  lightEdition: false,
  mustAcceptConditions: false,
});

test("every operation stands in the table, once", () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(table).sort());
});

describe.each(operations.map((operation) => [operation.name, operation] as const))("%s", (name, { permission }) => {
  const holders = table[name] ?? "";
  test.each(roles)("%s", (role) => {
    const wanted = holders === "*" || [...holders].some((letter) => letters[letter] === role);
    expect(can(person(role), permission)).toBe(wanted);
  });
  test("nobody signed in", () => {
    expect(can({ kind: "anonymous" }, permission)).toBe(holders === "*");
  });
});
