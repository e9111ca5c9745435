import { routes } from "../support/routes";

/** The pages that typed-text.spec.ts types on, and which forms of theirs it leaves out. */

/** States of a page beyond its bare address, with the role that sees most of it. */
const states: Record<string, { as: string; queries: string[] }> = {
  "management.overview": { as: "admin", queries: ["", "?flere=1"] },
  "management.overview.$visitId": {
    as: "admin",
    queries: ["", "?ret=patient", "?ret=henvisning", "?ret=plan", "?ret=henviser", "?ret=materiale", "?ret={message}"],
  },
  "management.overview.$visitId.roentgenbilleder": { as: "tandlaege", queries: [""] },
  "management.overview.eksport": { as: "admin", queries: [""] },
  "management.henvisning-tandlaeger": {
    as: "sekretaer",
    queries: ["?form=typed-text-form", "?kladde={draft}&trin=1", "?kladde={draft}&trin=2&ny=1"],
  },
  "management.call-up-letters": { as: "admin", queries: ["?aaben={id}"] },
  "management.ending-letter": { as: "admin", queries: [""] },
  "management.parking": { as: "admin", queries: [""] },
  "management.sms": { as: "admin", queries: [""] },
  "management.sms.$visitId": { as: "admin", queries: [""] },
  "management.ending-letter_.$visitId.$letterNumber.skriv": { as: "admin", queries: [""] },
  "management.settings.beskeder.$kind.$channel": { as: "admin", queries: [""] },
  "management.settings.tekster.$kind": { as: "admin", queries: [""] },
  "management.settings._index": { as: "admin", queries: ["", "?ret={treatment}"] },
  "management.settings.paamindelser": { as: "admin", queries: [""] },
  "management.settings.navne-og-frister": { as: "admin", queries: [""] },
  "management.settings.sms-svar": { as: "admin", queries: [""] },
  "management.settings.breve": { as: "admin", queries: [""] },
  "management.clinics": { as: "admin", queries: ["?aaben=1"] },
  "management.clinics.opret": { as: "admin", queries: [""] },
  "management.users": { as: "admin", queries: ["?aaben=5"] },
  "management.users.opret": { as: "admin", queries: [""] },
  "management.users.fusioner": { as: "admin", queries: ["?valgt=7.8"] },
  "management.clinics.fusioner": { as: "admin", queries: ["?valgt=1.2"] },
  "management.draft-visits": { as: "sekretaer", queries: [""] },
  "management.change-password": { as: "tandlaege2", queries: [""] },
};

/** Forms without text to lose: buttons, choices, files, and what a script submits by itself. */
export const WITHOUT_TEXT = new Set([
  "offerTime",
  "withdrawOffer",
  "removeFreedTime",
  // Reached by a patient's link only.
  "confirmAppointment",
  "cancelAppointment",
  "acceptOfferedTime",
  "declineOfferedTime",
  "sendTestEmail",
  "sendTestSms",
  // In the development outbox.
  "answerSms",
  "signOut",
  "lightEdition",
  "fullEdition",
  "closeInfoPopup",
  "closeBrowserWarning",
  "acceptConditions",
  "uploadAppointments",
  // File upload and its dry run.
  "uploadDirectory",
  "importDirectory",
  "deleteTreatmentType",
  // Two dates and a switch.
  "exportStatistics",
  // A search; its fields are tested by the audit log's own tests.
  "filterAccess",
  "drawAccessSample",
  // Needs a sample; tested by access-log.spec.ts.
  "signAccessSample",
  // In an opened row; tested by directory.spec.ts.
  "updateUser",
  "sendUserLink",
  "withdrawAppointmentLetter",
  "confirmFileOwner",
  "confirmSamePerson",
  "confirmToldTime",
  "runJobNow",
  "revokeApiKey",
  // Needs an EDI message; tested by edi.spec.ts.
  "readEdiAgain",
  "dismissEdiMessage",
  "importEdiMessage",
  "attachEdiMessage",
  "linkEdiSender",
  "undoMerge",
  "startImport",
  "deleteDraft",
  "restoreDraft",
  "saveAutosave",
  "discardAutosave",
  "openTyped",
  "lookUpCar",
  // On the public page.
  "registerCar",
  "lookUpOwnCar",
  "checkCpr",
  "addRadiographs",
  "addMaterialDocuments",
  // Needs a material request; tested by material.spec.ts.
  "declineMaterial",
  "removeRadiograph",
  "setAllRadiographTypes",
  "setRadiographType",
  "setRadiographTypes",
  "setUploadType",
  "cancelUpload",
  "sendReferral",
  "submitReferral",
  "takeBackSending",
  "deleteRadiograph",
  "uploadLetter",
  "uploadLetterImages",
  "beginLetter",
  "resendLetter",
  "withdrawLetter",
  "setEdiAsEmail",
  "declineLetters",
  "sendLetterImages",
  "sendLetterToPatient",
  "deleteLetter",
  "restoreLetter",
  "restoreFile",
  "retryRadiographExport",
  "setStatus",
  "setStatuses",
  "setAllStatuses",
  "undoStatuses",
  "closeCallUpStats",
  "putAwaySetUp",
  "sendStatus",
  // A further button of the new user's form.
  "createUserAndAnother",
  // Further buttons of the call-up form.
  "sendAnotherCallUp",
  "sendCallUpAndOpenNext",
  "sendCallUp",
  "callUpByPhone",
  "withdrawCallUp",
  "withdrawCallUps",
  "askCallUps",
  "sendCallUps",
  "makeLetterBatch",
  "markBatchPrinted",
  "putBatchBack",
  "sendAppointmentLetter",
  "sendBill",
  "sendRadiographLink",
  "revokeFileLinks",
  "requestNewLink",
  "saveLetterLogo",
  "removeLetterLogo",
  // Further buttons of the text form.
  "previewLetter",
  "previewMessageText",
  "previewPortalText",
  "replaceCostlySigns",
  "sendTextSample",
  // Needs a failed message; tested by logs.spec.ts.
  "resendFailure",
  "correctAndResend",
  "settleAsArrived",
  "markFailureHandled",
  "reopenFailure",
  // In an opened thread or beside an unplaced answer; tested by sms.spec.ts.
  "replySms",
  "placeSms",
  "sendSmsWithCancellation",
  "sendSmsWithoutCancellation",
  "decideSms",
  "undoSmsDecision",
  "unplaceSms",
  "dismissSms",
  "markSmsRead",
  "liftSmsStop",
  "undoCancellation",
  "releaseExternalAccount",
  "createExternalLink",
  "markMessages",
  "setSurgeon",
  "askExport",
  "exportFiltered",
  "exportPicked",
  "resetPassword",
  "setUserPassword",
  "chooseOwnPassword",
  // Passwords and codes are never returned; tested by second-factor.spec.ts and api-keys.spec.ts.
  "createApiKey",
  "activateSecondFactor",
  "beginSecondFactor",
  "checkSecondFactor",
  "endSecondFactor",
  "renewRecoveryCodes",
  "endOwnSession",
  "endOtherSessions",
  "resetUserSecondFactor",
  "saveExternalIdentity",
  "confirmSignIn",
  "confirmExternalBinding",
  "signOutForOpener",
  "signIn",
  "signInAsDemo",
  "forgotPassword",
  // Search and choice of a referrer: one combobox with JavaScript, a search form without.
  "searchReferrers",
  // A box for staff alone; the pages of the profile are a referrer's.
  "chooseGoingOn",
  // The shell's search is not brought back: it stands on every page.
  "searchPatients",
  "suggestPatients",
  "saveReferrer",
  "changeReferrer",
  "moreFilters",
  "fetchAddress",
  "fetchKnownPatient",
  "fetchPatient",
]);

/** Look-ups write nothing that could fail (docs/decisions/0067). */
export const LOOK_UPS = new Set([
  "applyFilter",
  "searchPatients",
  "suggestPatients",
  "filterDrafts",
  "filterCallUps",
  "filterDischargeLetters",
  "filterSms",
  "filterImportLog",
  "filterUsers",
  "filterClinics",
]);

const bare = (route: string) => routes[route]!.address.split("?")[0]!;
export const places = Object.entries(states).flatMap(([route, { as, queries }]) =>
  queries.map((query) => ({ route, as, address: `${bare(route)}${query}` })),
);

/** Ids used in addresses, by name. */
export interface Made {
  sent: number;
  draft: number;
  message: number;
  treatment: number;
}

export const addressOf = (address: string, { sent, draft, message, treatment }: Made) =>
  address
    .replace(/\{(?:id|own)\}/, String(sent))
    .replace("{draft}", String(draft))
    .replace("{message}", String(message))
    .replace("{treatment}", String(treatment));
