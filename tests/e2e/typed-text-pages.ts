import { routes } from "../support/routes";

/** The pages that typed-text.spec.ts types on, and which forms of theirs it leaves out. */

/** States of a page beyond its bare address, and who sees the most of it. */
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

/** What no text can be lost in: forms of one button, of choices and of files, and what a script sends by itself. */
export const WITHOUT_TEXT = new Set([
  "offerTime",
  "withdrawOffer",
  "removeFreedTime",
  // A patient's answer, by the address of a link that nobody has.
  "confirmAppointment",
  "cancelAppointment",
  "acceptOfferedTime",
  "declineOfferedTime",
  "sendTestEmail",
  "sendTestSms",
  // A phone's answer in the development's own outbox.
  "answerSms",
  "signOut",
  "lightEdition",
  "fullEdition",
  "closeInfoPopup",
  "closeBrowserWarning",
  "acceptConditions",
  "uploadAppointments",
  // A file, and what it would do.
  "uploadDirectory",
  "importDirectory",
  "deleteTreatmentType",
  // Two days and a switch.
  "exportStatistics",
  // A question over one of the logs, which nothing is lost of; its fields are typed in by the audit's own tests.
  "filterAccess",
  // Its fields stand in an opened row; directory.spec.ts types in them.
  "updateUser",
  "sendUserLink",
  "withdrawAppointmentLetter",
  "confirmFileOwner",
  "runJobNow",
  "revokeApiKey",
  // What a person decides of a message by EDI: none has come to the demo. edi.spec.ts decides.
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
  // Of the public page, which belongs to nobody who is signed in.
  "registerCar",
  "lookUpOwnCar",
  "checkCpr",
  "addRadiographs",
  "addMaterialDocuments",
  // Stands where the clinic asks for something; material.spec.ts types in it.
  "declineMaterial",
  "removeRadiograph",
  "setAllRadiographTypes",
  "setRadiographType",
  "setRadiographTypes",
  "setUploadType",
  "cancelUpload",
  "sendReferral",
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
  // Other buttons of the form that calls a patient up.
  "sendAnotherCallUp",
  "updateCallUp",
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
  // Other buttons of the form of a text.
  "previewLetter",
  "previewMessageText",
  "previewPortalText",
  "replaceCostlySigns",
  "sendTextSample",
  // A failure's field stands in its line; logs.spec.ts types in it.
  "resendFailure",
  "correctAndResend",
  "settleAsArrived",
  "markFailureHandled",
  "reopenFailure",
  // Their fields stand in an opened thread and beside an answer that nobody has placed; sms.spec.ts types in them.
  "replySms",
  "placeSms",
  "sendSmsWithCancellation",
  "sendSmsWithoutCancellation",
  "decideSms",
  "unplaceSms",
  "dismissSms",
  "markSmsRead",
  "liftSmsStop",
  "undoCancellation",
  "markMessages",
  "setSurgeon",
  "exportFiltered",
  "exportPicked",
  "resetPassword",
  "setUserPassword",
  "chooseOwnPassword",
  // They take a password or a code, which never comes back; second-factor.spec.ts and api-keys.spec.ts send them.
  "createApiKey",
  "activateSecondFactor",
  "beginSecondFactor",
  "checkSecondFactor",
  "endSecondFactor",
  "renewRecoveryCodes",
  "endOwnSession",
  "endOtherSessions",
  "resetUserSecondFactor",
  "confirmSignIn",
  "signOutForOpener",
  "signIn",
  "forgotPassword",
  // The referrer's search and its choice: with JavaScript one combobox, without it a search whose text is a question, not an answer.
  "searchReferrers",
  "saveReferrer",
  "changeReferrer",
  "moreFilters",
  "fetchAddress",
  "fetchKnownPatient",
]);

/** They write nothing that an error could stop (docs/decisions/0067). */
export const LOOK_UPS = new Set([
  "applyFilter",
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

/** The numbers that stand in their addresses by name. */
export interface Made {
  sent: number;
  draft: number;
  message: number;
  treatment: number;
}

export const addressOf = (address: string, { sent, draft, message, treatment }: Made) =>
  address
    .replace("{id}", String(sent))
    .replace("{draft}", String(draft))
    .replace("{message}", String(message))
    .replace("{treatment}", String(treatment));
