import { openedWith } from "~/text/control-values";

/** Subjects of the forms: the two referrals and a file of each. */
export interface Targets {
  own: { id: number; file: number };
  other: { id: number; file: number };
}

type Fields = Record<string, string | number>;

interface Form {
  fields(targets: Targets): Fields;
  /**
   * Statuses for nobody, admin, surgeon, secretary, dentist secretary, dentist, and dentist 2, in this order; the
   * referral is dentist 2's.
   */
  answers: string;
  /** Ends the session it is sent in. */
  endsSession?: true;
}

/** Differs from the referral's address, so that it is an edit. */
const aContact = { patientAddress: "En helt anden vej 7" };

const all = (status: number) => `307${` ${status}`.repeat(6)}`;
/** The sign-in page redirects people who are signed in. */
const signedInGoOn = (status: number) => `${status}${" 302".repeat(6)}`;
const staffs = (status: number) => `307 ${status} ${status} 403 403 403 403`;
const directorys = (status: number) => `307${` ${status}`.repeat(4)} 403 403`;
const scoped = (staff: number, owner: number) => `307 ${staff} ${staff} 404 404 404 ${owner}`;

const referral = ({ other }: Targets) => ({ referralId: other.id });
const noLetter = (targets: Targets) => ({ ...referral(targets), letterNumber: 99 });
const aLetter = (targets: Targets) => ({ ...referral(targets), letterNumber: 1 });
const image = ({ other }: Targets) => ({ referralId: other.id, fileId: other.file });
const outdated = (targets: Targets) => ({ ...referral(targets), seenVersion: 99 });
const nothing = (): Fields => ({});
const anUpload = () => ({ uploadId: "a".repeat(32), radiographType: 2 });
const aText = { kind: "callUp", channel: "sms", body: "Ring til os." };
const aPortalText = { kind: "conditions", body: "Nye betingelser", buttonText: "OK" };
const aPatient = { cpr6: "610190", cpr4: "1009", firstName: "A", lastName: "B", zip: "8000", city: "C" };

/** Forms of discharge letters, on their own page and in the open referral. */
const letterForms: Record<string, Form> = {
  uploadLetter: {
    fields: (targets) => ({ ...aLetter(targets), formKey: "x" }),
    answers: staffs(400),
  },
  uploadLetterImages: {
    fields: (targets) => ({ ...aLetter(targets), formKey: "x" }),
    answers: staffs(400),
  },
  beginLetter: { fields: referral, answers: staffs(303) },
  resendLetter: { fields: noLetter, answers: staffs(404) },
  withdrawLetter: { fields: noLetter, answers: staffs(404) },
  setEdiAsEmail: { fields: noLetter, answers: staffs(404) },
  declineLetters: { fields: referral, answers: staffs(303) },
  sendLetterToPatient: { fields: (targets) => ({ ...noLetter(targets), messageType: 1 }), answers: staffs(404) },
  sendLetterImages: { fields: (targets) => ({ ...noLetter(targets), messageType: 1 }), answers: staffs(404) },
};

const aClinic = { name: "A", address: "B", zip: "1", city: "C", email: "a@eksempel.dk", phone: "10 00 00 01" };
const aUser = { type: 1, firstName: "A", lastName: "B", userName: "a", email: "a@eksempel.dk", status: 1 };

/**
 * Every intent of every route with a form and the expected answers. `tests/support/intents.ts` reads the same from the
 * sources.
 */
export const forms: Record<string, Record<string, Form>> = {
  login: {
    signIn: { fields: () => ({ userName: "nobody", password: "wrong" }), answers: signedInGoOn(400) },
    signInAsDemo: { fields: () => ({ account: "nobody" }), answers: signedInGoOn(404) },
    confirmSignIn: { fields: () => ({ step: "nobodys", code: "123456" }), answers: signedInGoOn(400) },
    confirmExternalBinding: { fields: () => ({ step: "nobodys" }), answers: signedInGoOn(400) },
    forgotPassword: { fields: () => ({ userName: "nobody" }), answers: signedInGoOn(410) },
    signOutForOpener: { fields: nothing, answers: "200 200 200 200 200 200 200", endsSession: true },
    "*": { fields: () => ({ intent: "editReferralDetails", text: "typed" }), answers: signedInGoOn(200) },
  },
  "change-password": {
    resetPassword: {
      fields: () => ({
        userName: "tandlaege",
        token: "wrong",
        newPassword: "NytKodeord1",
        repeatPassword: "NytKodeord1",
      }),
      answers: "400 400 400 400 400 400 400",
    },
  },
  xr: {
    requestNewLink: {
      fields: () => ({ token: "nobodys", purpose: "radiographLink" }),
      answers: "303 303 303 303 303 303 303",
    },
  },
  dl: {
    requestNewLink: {
      fields: () => ({ token: "nobodys", purpose: "letterFilesLink" }),
      answers: "303 303 303 303 303 303 303",
    },
  },
  aftale: {
    confirmAppointment: { fields: () => ({ token: "nobodys" }), answers: "303 303 303 303 303 303 303" },
    cancelAppointment: { fields: () => ({ token: "nobodys" }), answers: "303 303 303 303 303 303 303" },
    acceptOfferedTime: { fields: () => ({ token: "nobodys" }), answers: "303 303 303 303 303 303 303" },
    declineOfferedTime: { fields: () => ({ token: "nobodys" }), answers: "303 303 303 303 303 303 303" },
  },
  "book-parking": {
    registerCar: {
      fields: () => ({ mobilePhone: "40123456", confirmMobilePhone: "40123457" }),
      answers: "400 400 400 400 400 400 400",
    },
    lookUpOwnCar: { fields: () => ({ licensePlate: "QX12345" }), answers: "200 200 200 200 200 200 200" },
  },
  management: {
    lightEdition: { fields: nothing, answers: all(303) },
    fullEdition: { fields: nothing, answers: all(303) },
    closeInfoPopup: { fields: nothing, answers: all(303) },
    closeBrowserWarning: { fields: nothing, answers: all(303) },
    signOut: { fields: nothing, answers: "303 303 303 303 303 303 303", endsSession: true },
  },
  "management.overview": {
    applyFilter: { fields: () => ({ patientName: "a" }), answers: all(303) },
    askExport: { fields: ({ other }) => ({ pick: `${other.id}:1` }), answers: staffs(303) },
    searchPatients: { fields: () => ({ patient: "a" }), answers: all(303) },
    suggestPatients: { fields: () => ({ patient: "a" }), answers: all(200) },
    moreFilters: { fields: nothing, answers: all(200) },
    searchReferrers: { fields: () => ({ search: "a" }), answers: "307 200 200 200 200 403 403" },
    setStatus: { fields: (targets) => ({ ...outdated(targets), status: 2 }), answers: staffs(409) },
    setStatuses: { fields: ({ other }) => ({ status: 2, pick: `${other.id}:99` }), answers: staffs(303) },
    undoStatuses: { fields: () => ({ massChangeId: 999_999 }), answers: staffs(409) },
    closeCallUpStats: { fields: nothing, answers: staffs(303) },
    runEdiImport: { fields: nothing, answers: staffs(303) },
  },
  "management.overview_.opsaetning": {
    putAwaySetUp: { fields: nothing, answers: "307 303 403 403 403 403 403" },
  },
  "management.overview.masse": {
    setAllStatuses: { fields: () => ({ status: 2, count: 999_999 }), answers: staffs(409) },
  },
  "management.overview.eksport": {
    exportByDates: { fields: () => ({ dateFrom: "01.01.2020", dateTo: "01.01.2026" }), answers: staffs(400) },
    exportFiltered: { fields: () => ({ f: "ukendt" }), answers: staffs(400) },
    exportPicked: { fields: ({ other }) => ({ pick: `${other.id}:1` }), answers: staffs(303) },
  },
  "management.statistics": {
    exportStatistics: { fields: () => ({ dateFrom: "01.01.2026", dateTo: "31.12.2025" }), answers: staffs(400) },
  },
  "management.overview.$visitId.images_.$imageId": {
    setStatus: { fields: (targets) => ({ ...outdated(targets), status: 2 }), answers: staffs(409) },
    undoStatuses: { fields: () => ({ massChangeId: 999_999 }), answers: staffs(409) },
  },
  "management.overview.$visitId": {
    replySms: { fields: (t) => ({ ...referral(t), formKey: "x", text: " " }), answers: staffs(400) },
    sendSmsWithCancellation: { fields: referral, answers: staffs(400) },
    sendSmsWithoutCancellation: { fields: referral, answers: staffs(400) },
    decideSms: { fields: () => ({ answerId: 999_999, isCancellation: "true" }), answers: staffs(404) },
    unplaceSms: { fields: () => ({ answerId: 999_999 }), answers: staffs(404) },
    markSmsRead: { fields: referral, answers: staffs(303) },
    liftSmsStop: { fields: referral, answers: staffs(409) },
    undoCancellation: { fields: referral, answers: staffs(409) },
    editPatient: { fields: (targets) => ({ ...outdated(targets), ...aPatient }), answers: staffs(409) },
    editReferralDetails: { fields: (targets) => ({ ...outdated(targets), visitType: "simple" }), answers: staffs(409) },
    editPlan: { fields: outdated, answers: staffs(409) },
    changeReferrer: { fields: (targets) => ({ ...outdated(targets), referrerId: 999_999 }), answers: staffs(400) },
    searchReferrers: { fields: () => ({ search: "a" }), answers: "307 200 200 200 200 403 403" },
    setStatus: { fields: (targets) => ({ ...outdated(targets), status: 2 }), answers: staffs(409) },
    undoStatuses: { fields: () => ({ massChangeId: 999_999 }), answers: staffs(409) },
    sendStatus: { fields: () => ({ referralId: 999_999 }), answers: staffs(404) },
    askForMaterial: {
      fields: (targets) => ({ ...referral(targets), kinds: "cbct", opened: openedWith({ status: "99" }) }),
      answers: staffs(409),
    },
    declineMaterial: {
      fields: (targets) => ({ ...referral(targets), lineId: 999_999, reply: "Nej" }),
      answers: scoped(409, 409),
    },
    addMaterialDocuments: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", lineId: 999_999 }),
      answers: scoped(409, 409),
    },
    writeMessage: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", text: "Hej" }),
      answers: scoped(303, 303),
    },
    editMessage: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", messageId: 999_999, seenVersion: 1, text: "Hej" }),
      answers: all(404),
    },
    markMessages: { fields: (targets) => ({ ...referral(targets), read: "no" }), answers: scoped(303, 303) },
    setSurgeon: {
      fields: (targets) => ({ ...referral(targets), seenVersion: 1, surgeonId: 999_999 }),
      answers: staffs(400),
    },
    holdReferral: {
      fields: (targets) => ({ ...referral(targets), seenVersion: 1, until: "31.02.2027" }),
      answers: staffs(400),
    },
    restoreFile: { fields: (targets) => ({ ...referral(targets), fileId: 999_999 }), answers: staffs(404) },
    retryRadiographExport: { fields: referral, answers: staffs(303) },
    sendCallUp: { fields: (targets) => ({ ...outdated(targets), ...aContact, incallType: 1 }), answers: staffs(409) },
    sendAnotherCallUp: {
      fields: (targets) => ({ ...outdated(targets), ...aContact, incallType: 1 }),
      answers: staffs(409),
    },
    updateCallUp: { fields: (targets) => ({ ...outdated(targets), ...aContact }), answers: staffs(409) },
    callUpByPhone: { fields: (targets) => ({ ...outdated(targets), ...aContact }), answers: staffs(409) },
    withdrawCallUp: { fields: referral, answers: staffs(409) },
    sendAppointmentLetter: {
      fields: (targets) => ({ ...referral(targets), appointmentType: 9 }),
      answers: staffs(400),
    },
    withdrawAppointmentLetter: {
      fields: (targets) => ({ ...referral(targets), letterId: 999_999 }),
      answers: staffs(409),
    },
    sendRadiographLink: {
      fields: (targets) => ({ ...referral(targets), messageType: "x" }),
      answers: staffs(400),
    },
    revokeFileLinks: { fields: referral, answers: staffs(303) },
    confirmToldTime: { fields: referral, answers: staffs(409) },
    confirmSamePerson: { fields: referral, answers: staffs(409) },
    confirmFileOwner: {
      fields: (targets) => ({ ...referral(targets), storedFileId: 999_999 }),
      answers: staffs(404),
    },
    sendBill: { fields: (targets) => ({ ...referral(targets), formKey: "x", billKind: "x" }), answers: staffs(400) },
    ...letterForms,
  },
  "management.overview.$visitId.roentgenbilleder": {
    addRadiographs: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", radiographType: 0 }),
      answers: scoped(400, 400),
    },
    setAllRadiographTypes: {
      fields: (targets) => ({ ...referral(targets), radiographType: 2 }),
      answers: scoped(303, 303),
    },
    setRadiographType: { fields: (targets) => ({ ...image(targets), radiographType: 2 }), answers: scoped(303, 303) },
    setRadiographTypes: { fields: (targets) => ({ ...referral(targets), formKey: "x" }), answers: scoped(303, 303) },
    setUploadType: { fields: anUpload, answers: all(404) },
    cancelUpload: { fields: anUpload, answers: all(404) },
  },
  "management.overview.$visitId.images.$fileId.slet": {
    deleteRadiograph: {
      fields: (targets) => ({ ...image(targets), opened: openedWith({ series: "none" }) }),
      answers: staffs(409),
    },
  },
  "management.overview.$visitId.breve_.$letterNumber.slet": {
    deleteLetter: { fields: noLetter, answers: staffs(404) },
  },
  "management.ending-letter": {
    filterDischargeLetters: { fields: () => ({ patientName: "a" }), answers: all(303) },
    restoreLetter: { fields: noLetter, answers: staffs(404) },
    ...letterForms,
  },
  "management.ending-letter_.$visitId.$letterNumber.skriv": {
    writeLetter: { fields: noLetter, answers: staffs(400) },
    previewLetter: { fields: aLetter, answers: staffs(200) },
  },
  "management.ending-letter.$visitId.$letterNumber.slet": {
    deleteLetter: { fields: noLetter, answers: staffs(404) },
  },
  "management.henvisning-tandlaeger": {
    savePatient: {
      fields: (targets) => ({
        ...referral(targets),
        ...aPatient,
        formKey: "a-form",
        seenVersion: 99,
        address: "Åvej 1",
        desiredTreatment: "x",
      }),
      answers: scoped(409, 303),
    },
    saveAutosave: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", comment: "y" }),
      answers: scoped(200, 404),
    },
    discardAutosave: { fields: () => ({ copyId: 999_999 }), answers: all(303) },
    openTyped: { fields: () => ({ copyId: 999_999 }), answers: all(404) },
    fetchAddress: { fields: () => ({ cpr6: "251248", cpr4: "9996" }), answers: all(200) },
    fetchKnownPatient: { fields: () => ({ cpr6: "251248", cpr4: "9996" }), answers: all(200) },
    fetchPatient: { fields: () => ({ cpr6: "251248", cpr4: "9996" }), answers: all(200) },
    checkCpr: { fields: () => ({ cpr6: "251248", cpr4: "9996" }), answers: all(200) },
    // One's own is sent already, so its writer is redirected to it.
    saveReferrer: {
      fields: (targets) => ({ ...referral(targets), referrerId: 999_999 }),
      answers: "307 417 417 404 404 404 303",
    },
    searchReferrers: { fields: () => ({ search: "a" }), answers: "307 200 200 200 200 403 403" },
    createReferrer: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", firstName: "Åse", lastName: "Øst" }),
      answers: "307 403 403 404 404 403 403",
    },
    addRadiographs: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", radiographType: 0 }),
      answers: scoped(400, 400),
    },
    removeRadiograph: { fields: (targets) => ({ ...referral(targets), fileId: 1_000_000 }), answers: all(404) },
    setAllRadiographTypes: {
      fields: (targets) => ({ ...referral(targets), radiographType: 2 }),
      answers: scoped(303, 303),
    },
    setRadiographType: { fields: (targets) => ({ ...image(targets), radiographType: 2 }), answers: scoped(303, 303) },
    setRadiographTypes: { fields: (targets) => ({ ...referral(targets), formKey: "x" }), answers: scoped(303, 303) },
    setUploadType: { fields: anUpload, answers: all(404) },
    cancelUpload: { fields: anUpload, answers: all(404) },
    sendReferral: {
      fields: (targets) => ({ ...referral(targets), formKey: "x", radiographsSendType: 0 }),
      answers: scoped(303, 303),
    },
    submitReferral: {
      fields: (targets) => ({
        ...referral(targets),
        ...aPatient,
        formKey: "a-form",
        address: "Åvej 1",
        desiredTreatment: "x",
      }),
      answers: "307 403 403 403 403 404 303",
    },
    // It is sent already, so those who see it are redirected to it.
    takeBackSending: { fields: referral, answers: scoped(303, 303) },
  },
  "management.visit-sent": {
    setUploadType: { fields: anUpload, answers: all(404) },
    cancelUpload: { fields: anUpload, answers: all(404) },
  },
  "management.call-up-letters": {
    filterCallUps: { fields: nothing, answers: staffs(303) },
    sendCallUp: { fields: (targets) => ({ ...outdated(targets), ...aContact, incallType: 1 }), answers: staffs(409) },
    sendCallUpAndOpenNext: {
      fields: (targets) => ({
        ...outdated(targets),
        ...aContact,
        incallType: 1,
        to: "/management/call-up-letters?page=1",
      }),
      answers: staffs(409),
    },
    sendAnotherCallUp: {
      fields: (targets) => ({ ...outdated(targets), ...aContact, incallType: 1 }),
      answers: staffs(409),
    },
    updateCallUp: { fields: (targets) => ({ ...outdated(targets), ...aContact }), answers: staffs(409) },
    callUpByPhone: { fields: (targets) => ({ ...outdated(targets), ...aContact }), answers: staffs(409) },
    withdrawCallUp: { fields: referral, answers: staffs(409) },
    makeLetterBatch: { fields: nothing, answers: staffs(400) },
    askCallUps: { fields: () => ({ incallType: 1 }), answers: staffs(400) },
    withdrawCallUps: { fields: () => ({ nr: "999999" }), answers: staffs(409) },
  },
  "management.call-up-letters_.masse": {
    sendCallUps: { fields: () => ({ nr: "999999", incallType: 1 }), answers: staffs(400) },
  },
  "management.call-up-letters.arkiv": {
    markBatchPrinted: { fields: () => ({ batchId: 999_999 }), answers: staffs(404) },
    putBatchBack: { fields: () => ({ batchId: 999_999 }), answers: staffs(409) },
  },
  "management.logs": {
    resendFailure: { fields: () => ({ messageId: 999_999, channel: "sms" }), answers: staffs(404) },
    correctAndResend: { fields: () => ({ messageId: 999_999, patientMobilePhone: "40123456" }), answers: staffs(404) },
    settleAsArrived: { fields: () => ({ messageId: 999_999 }), answers: staffs(404) },
    markFailureHandled: { fields: () => ({ messageId: 999_999 }), answers: staffs(404) },
    filterAccess: { fields: () => ({ userName: "admin" }), answers: staffs(303) },
    reopenFailure: { fields: () => ({ messageId: 999_999 }), answers: staffs(409) },
    runEdiImport: { fields: nothing, answers: staffs(303) },
    importEdiMessage: { fields: () => ({ messageId: 999_999 }), answers: staffs(404) },
    attachEdiMessage: { fields: () => ({ messageId: 999_999, visitNumber: 1 }), answers: staffs(404) },
    dismissEdiMessage: { fields: () => ({ messageId: 999_999 }), answers: staffs(404) },
    readEdiAgain: { fields: () => ({ messageId: 999_999 }), answers: staffs(409) },
    linkEdiSender: { fields: () => ({ messageId: 999_999, referrer: "a" }), answers: staffs(404) },
  },
  "management.draft-visits": {
    filterDrafts: { fields: nothing, answers: all(303) },
    deleteDraft: { fields: referral, answers: all(404) },
    restoreDraft: { fields: referral, answers: all(404) },
  },
  "management.clinics": {
    filterClinics: { fields: () => ({ search: "a" }), answers: directorys(303) },
    updateClinic: { fields: () => ({ clinicId: 999_999, ...aClinic }), answers: directorys(404) },
    undoMerge: { fields: () => ({ runId: 999_999 }), answers: staffs(404) },
  },
  "management.clinics.fusioner": {
    mergeClinics: { fields: () => ({ keepId: 999_999, ...aClinic, name: "" }), answers: staffs(400) },
  },
  "management.users.fusioner": {
    mergeUsers: { fields: () => ({ keepId: 999_999, firstName: "A" }), answers: staffs(400) },
  },
  "management.clinics.opret": {
    createClinic: { fields: () => ({ formKey: "x", name: "A" }), answers: staffs(400) },
  },
  "management.users.opret": {
    createUser: { fields: () => ({ formKey: "x", type: 1, firstName: "A" }), answers: directorys(400) },
    createUserAndAnother: { fields: () => ({ formKey: "x", type: 1, firstName: "A" }), answers: directorys(400) },
  },
  "management.totrinslogin": {
    // People without the obligation are redirected by the page of the refusal.
    beginSecondFactor: { fields: nothing, answers: all(302) },
    checkSecondFactor: { fields: () => ({ code: "123456" }), answers: all(303) },
    activateSecondFactor: { fields: nothing, answers: all(303) },
    "*": { fields: () => ({ intent: "editReferralDetails", text: "typed" }), answers: all(303) },
  },
  "management.change-password_.sikkerhed": {
    beginSecondFactor: { fields: nothing, answers: all(400) },
    checkSecondFactor: { fields: () => ({ code: "123456" }), answers: all(303) },
    activateSecondFactor: { fields: nothing, answers: all(303) },
    endSecondFactor: { fields: nothing, answers: all(400) },
    renewRecoveryCodes: { fields: nothing, answers: all(400) },
    endOwnSession: { fields: () => ({ session: "nobodys" }), answers: all(400) },
    endOtherSessions: { fields: nothing, answers: all(400) },
  },
  "management.ny-adgangskode": {
    chooseOwnPassword: {
      fields: () => ({ newPassword: "NytKodeord1", repeatPassword: "NytKodeord1" }),
      answers: all(403),
    },
    "*": { fields: () => ({ intent: "editReferralDetails", text: "typed" }), answers: all(303) },
  },
  "management.users": {
    filterUsers: { fields: () => ({ search: "a" }), answers: directorys(303) },
    updateUser: { fields: () => ({ userId: 999_999, ...aUser }), answers: directorys(404) },
    undoMerge: { fields: () => ({ runId: 999_999 }), answers: staffs(404) },
    saveExternalIdentity: { fields: () => ({ userId: 999_999 }), answers: staffs(404) },
    createExternalLink: { fields: () => ({ userId: 999_999 }), answers: staffs(404) },
    releaseExternalAccount: { fields: () => ({ userId: 999_999 }), answers: staffs(404) },
    resetUserSecondFactor: { fields: () => ({ userId: 999_999 }), answers: staffs(404) },
    sendUserLink: { fields: () => ({ userId: 999_999 }), answers: directorys(404) },
    setUserPassword: {
      fields: () => ({ userId: 999_999, newPassword: "NytKodeord1", repeatPassword: "NytKodeord1" }),
      answers: directorys(404),
    },
  },
  "management.parking": {
    bookParking: { fields: () => ({ mobilePhone: "12-34" }), answers: staffs(400) },
    lookUpCar: { fields: () => ({ licensePlate: "QX12345" }), answers: staffs(200) },
  },
  "management.sms": {
    offerTime: { fields: (targets) => ({ ...referral(targets), freedTimeId: 999_999 }), answers: staffs(409) },
    withdrawOffer: { fields: () => ({ freedTimeId: 999_999 }), answers: staffs(409) },
    removeFreedTime: { fields: () => ({ freedTimeId: 999_999 }), answers: staffs(409) },
    filterSms: { fields: nothing, answers: staffs(303) },
    decideSms: { fields: () => ({ answerId: 999_999, isCancellation: "true" }), answers: staffs(404) },
    undoSmsDecision: { fields: () => ({ answerId: 999_999 }), answers: staffs(404) },
    undoCancellation: { fields: referral, answers: staffs(409) },
    uploadAppointments: { fields: () => ({ formKey: "x" }), answers: staffs(400) },
  },
  "management.sms.$visitId": {
    replySms: { fields: (t) => ({ ...referral(t), formKey: "x", text: " " }), answers: staffs(400) },
    sendSmsWithCancellation: { fields: referral, answers: staffs(400) },
    sendSmsWithoutCancellation: { fields: referral, answers: staffs(400) },
    decideSms: { fields: () => ({ answerId: 999_999, isCancellation: "true" }), answers: staffs(404) },
    unplaceSms: { fields: () => ({ answerId: 999_999 }), answers: staffs(404) },
    markSmsRead: { fields: referral, answers: staffs(303) },
    liftSmsStop: { fields: referral, answers: staffs(409) },
    undoCancellation: { fields: referral, answers: staffs(409) },
  },
  "management.sms.ikke-placerede": {
    placeSms: { fields: () => ({ answerId: 999_999, visitNumber: "x" }), answers: staffs(400) },
    dismissSms: { fields: () => ({ answerId: 999_999 }), answers: staffs(404) },
  },
  "management.aftaletider_.$fileId": {
    startImport: { fields: () => ({ fileId: 999_999 }), answers: staffs(404) },
  },
  "management.settings.beskeder.$kind.$channel": {
    saveMessageText: { fields: () => ({ ...aText, body: "((ukendt))" }), answers: staffs(400) },
    previewMessageText: { fields: () => aText, answers: staffs(200) },
    sendTextSample: { fields: () => ({ ...aText, body: "((ukendt))" }), answers: staffs(400) },
    replaceCostlySigns: { fields: () => aText, answers: staffs(200) },
  },
  "management.settings.import": {
    uploadDirectory: { fields: () => ({ formKey: "x", kind: "klinikker" }), answers: staffs(400) },
    importDirectory: { fields: () => ({ planId: 999_999 }), answers: staffs(400) },
  },
  "management.settings.tekster.$kind": {
    savePortalText: { fields: () => ({ ...aPortalText, body: " " }), answers: staffs(400) },
    previewPortalText: { fields: () => aPortalText, answers: staffs(200) },
  },
  "management.settings._index": {
    addTreatmentType: { fields: () => ({ name: " " }), answers: staffs(400) },
    saveTreatmentType: { fields: () => ({ treatmentTypeId: 999_999_999, name: "A" }), answers: staffs(404) },
    deleteTreatmentType: { fields: () => ({ treatmentTypeId: 999_999_999 }), answers: staffs(404) },
    uploadAppointments: { fields: () => ({ formKey: "x" }), answers: staffs(400) },
    filterImportLog: { fields: () => ({ visitNumber: 7 }), answers: staffs(303) },
  },
  "management.logs_.stikproeve": {
    drawAccessSample: { fields: nothing, answers: staffs(303) },
    signAccessSample: { fields: () => ({ month: "2020-01", sampleNote: "" }), answers: staffs(400) },
  },
  "management.settings.api-noegler": {
    createApiKey: { fields: () => ({ name: "", reach: "all" }), answers: staffs(400) },
    revokeApiKey: { fields: () => ({ keyId: 999_999 }), answers: staffs(404) },
  },
  "management.settings.job": { runJobNow: { fields: () => ({ job: "no-such-job" }), answers: staffs(400) } },
  "management.settings.navne-og-frister": {
    saveNamesAndDeadlines: { fields: () => ({ messageMailAddress: "ikke en adresse" }), answers: staffs(400) },
    saveOpeningHours: { fields: () => ({ openingHours1: "hele dagen" }), answers: staffs(400) },
    saveCriticalMedicines: { fields: () => ({ criticalMedicines: "Eliquis 5 mg" }), answers: staffs(400) },
  },
  "management.settings.paamindelser": {
    saveReminderSettings: { fields: () => ({ days1: "x" }), answers: staffs(400) },
  },
  "management.settings.sms-svar": {
    saveAnswerSettings: { fields: () => ({ smsCancellationWords: "ikke" }), answers: staffs(400) },
  },
  "management.settings.breve": {
    saveLetterPhrases: { fields: () => ({ medicine: "a".repeat(3001) }), answers: staffs(400) },
    saveLetterSettings: { fields: () => ({ windowLeft: "300", windowTop: "42" }), answers: staffs(400) },
    saveSenders: { fields: () => ({ smsSender: "ø" }), answers: staffs(400) },
    saveLetterLogo: { fields: () => ({ formKey: "x" }), answers: staffs(400) },
    removeLetterLogo: { fields: nothing, answers: staffs(303) },
  },
  "management.change-password": {
    changeProfile: { fields: () => ({ firstName: "A" }), answers: all(400) },
    chooseShortcuts: { fields: () => ({ shortcuts: "on" }), answers: all(303) },
    chooseGoingOn: { fields: () => ({}), answers: staffs(303) },
    changePassword: {
      fields: () => ({ currentPassword: "Forkert1", newPassword: "kort", repeatPassword: "kort" }),
      answers: all(400),
    },
    sendTestEmail: { fields: nothing, answers: staffs(303) },
    sendTestSms: { fields: () => ({ mobilePhone: "12" }), answers: staffs(400) },
  },
  "dev.outbox": {
    answerSms: { fields: () => ({ outboxId: 999_999, text: "Ja" }), answers: "404 404 404 404 404 404 404" },
  },
  "management.betingelser": {
    acceptConditions: { fields: () => ({ version: 999_999 }), answers: all(409) },
    "*": { fields: () => ({ intent: "editReferralDetails", text: "typed" }), answers: all(303) },
  },
};
