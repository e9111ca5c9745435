export type Kind =
  | "staff"
  | "administrator"
  /** Staff only, by an address sealed for one person; other seals are 404. */
  | "sealed"
  | "open"
  /** Everybody, but not on the staff host. */
  | "publicPage"
  | "signedIn"
  /** Staff and secretaries. */
  | "directory"
  | "referral"
  /** Staff only, inside an open referral: people who do not see the referral get 404. */
  | "staffInReferral"
  /** A missing page or part of a referral: 404 for everybody signed in. */
  | "missing"
  /** JSON: 401 instead of a redirect. */
  | "api"
  /** JSON that is not served to the public. */
  | "staffHost"
  /** A page that the public host does not serve. */
  | "staffHostPage"
  /** Development only. */
  | "development"
  /** Development only, for an unknown message: 404 for everybody. */
  | "developmentMissing"
  /** Needs a setting that is not set: 404 for everybody. */
  | "notSet"
  /** POST by a provider, on the public host. */
  | "webhook"
  /** A patient's page or file by an unknown token, refused alike for everybody; not on the staff host. */
  | "patientLink"
  | "redirect";

/** Every route with an address. `{own}` and `{other}` are the two referrals. */
export const routes: Record<string, { kind: Kind; address: string }> = {
  _index: { kind: "redirect", address: "/" },
  login: { kind: "open", address: "/login" },
  "login_.ekstern.$gruppe": { kind: "notSet", address: "/login/ekstern/personale" },
  "change-password": { kind: "open", address: "/change-password" },
  tilgaengelighed: { kind: "open", address: "/tilgaengelighed" },
  "pdf.visit": { kind: "referral", address: "/pdf/visit?id={id}" },
  xr: { kind: "patientLink", address: "/xr?tk=nobodys" },
  "xr_.fil.$fileId": { kind: "patientLink", address: "/xr/fil/{file}?tk=nobodys" },
  "xr_.vis.$fileId": { kind: "patientLink", address: "/xr/vis/{file}?tk=nobodys" },
  "xr_.alle[.]zip": { kind: "patientLink", address: "/xr/alle.zip?tk=nobodys" },
  dl: { kind: "patientLink", address: "/dl?tk=nobodys" },
  "dl_.alle[.]zip": { kind: "patientLink", address: "/dl/alle.zip?tk=nobodys" },
  aftale: { kind: "patientLink", address: "/aftale?tk=nobodys" },
  sag: { kind: "patientLink", address: "/sag?tk=nobodys" },
  "aftale_.tid[.]ics": { kind: "patientLink", address: "/aftale/tid.ics?tk=nobodys" },
  "book-parking": { kind: "publicPage", address: "/book-parking" },
  management: { kind: "redirect", address: "/management" },
  "management._index": { kind: "redirect", address: "/management" },
  "management.$": { kind: "missing", address: "/management/findes-ikke" },
  "management.overview": { kind: "signedIn", address: "/management/overview" },
  "management.overview_.opsaetning": { kind: "administrator", address: "/management/overview/opsaetning" },
  "management.overview.masse": { kind: "staff", address: "/management/overview/masse" },
  "management.overview.eksport": { kind: "staff", address: "/management/overview/eksport" },
  "management.overview.eksport[.]csv": { kind: "sealed", address: "/management/overview/eksport.csv?e=somebody-elses" },
  "management.overview.$visitId": { kind: "referral", address: "/management/overview/{id}" },
  "management.overview.$visitId.afslut": { kind: "staffInReferral", address: "/management/overview/{id}/afslut" },
  "management.overview.$visitId.billeder[.]zip": {
    kind: "referral",
    address: "/management/overview/{id}/billeder.zip",
  },
  "management.overview.$visitId.roentgenbilleder": {
    kind: "referral",
    address: "/management/overview/{id}/roentgenbilleder",
  },
  "management.overview.$visitId.images.$fileId.slet": {
    kind: "staffInReferral",
    address: "/management/overview/{id}/images/{file}/slet",
  },
  "management.overview.$visitId.images_.$imageId": {
    kind: "referral",
    address: "/management/overview/{id}/images/{file}",
  },
  "management.overview.$visitId.pdf": { kind: "referral", address: "/management/overview/{id}/pdf" },
  // Without a letter yet: staff and the owner learn that it is missing, others get 404.
  "management.overview.$visitId.breve.$letterNumber": { kind: "missing", address: "/management/overview/{id}/breve/1" },
  "management.overview.$visitId.files.$fileId": { kind: "referral", address: "/management/overview/{id}/files/{file}" },
  "management.overview.$visitId.files.$fileId.preview": {
    kind: "referral",
    address: "/management/overview/{id}/files/{file}/preview",
  },
  "management.henvisning-tandlaeger": {
    kind: "signedIn",
    address: "/management/henvisning-tandlaeger?form=a-form-of-its-own",
  },
  "management.visit-sent": { kind: "signedIn", address: "/management/visit-sent" },
  "management.ending-letter": { kind: "signedIn", address: "/management/ending-letter" },
  "management.ending-letter_.$visitId.$letterNumber.skriv": {
    kind: "staff",
    address: "/management/ending-letter/{id}/1/skriv",
  },
  "management.ending-letter.$visitId.$letterNumber.slet": {
    kind: "staff",
    address: "/management/ending-letter/{own}/1/slet",
  },
  "management.overview.$visitId.breve_.$letterNumber.slet": {
    kind: "staffInReferral",
    address: "/management/overview/{id}/breve/1/slet",
  },
  "management.call-up-letters": { kind: "staff", address: "/management/call-up-letters" },
  "management.call-up-letters_.masse": {
    kind: "staff",
    address: "/management/call-up-letters/masse?nr=999999&type=1",
  },
  "management.call-up-letters.arkiv": { kind: "staff", address: "/management/call-up-letters/arkiv" },
  "management.call-up-letters.arkiv_.$batchId[.]pdf": {
    kind: "sealed",
    address: "/management/call-up-letters/arkiv/999999.pdf",
  },
  "management.call-up-letters.pdf.$visitLogId": {
    kind: "sealed",
    address: "/management/call-up-letters/pdf/999999",
  },
  "management.logs": { kind: "staff", address: "/management/logs" },
  "management.logs.$messageId": { kind: "sealed", address: "/management/logs/999999" },
  "management.logs_.$messageId.indhold": { kind: "sealed", address: "/management/logs/999999/indhold" },
  "management.parking": { kind: "staff", address: "/management/parking" },
  // 404 without a sealed filter that names a patient.
  "management.logs_.indsigt[.]pdf": { kind: "sealed", address: "/management/logs/indsigt.pdf?f=somebody-elses" },
  "management.draft-visits": { kind: "signedIn", address: "/management/draft-visits" },
  "management.clinics": { kind: "directory", address: "/management/clinics" },
  "management.clinics.fusioner": { kind: "staff", address: "/management/clinics/fusioner" },
  "management.users.fusioner": { kind: "staff", address: "/management/users/fusioner" },
  "management.clinics.opret": { kind: "staff", address: "/management/clinics/opret" },
  "management.users.opret": { kind: "directory", address: "/management/users/opret" },
  "management.totrinslogin": { kind: "redirect", address: "/management/totrinslogin" },
  "management.ny-adgangskode": { kind: "redirect", address: "/management/ny-adgangskode" },
  "management.users": { kind: "directory", address: "/management/users" },
  "management.hjaelp": { kind: "signedIn", address: "/management/hjaelp" },
  "management.statistics": { kind: "staff", address: "/management/statistics" },
  "management.statistics.liste[.]csv": { kind: "staff", address: "/management/statistics/liste.csv?type=1" },
  "management.statistics.tal[.]csv": { kind: "staff", address: "/management/statistics/tal.csv?plot=afbud" },
  "management.sms": { kind: "staff", address: "/management/sms" },
  "management.sms.$visitId": { kind: "staff", address: "/management/sms/{own}" },
  "management.sms.ikke-placerede": { kind: "staff", address: "/management/sms/ikke-placerede" },
  "management.aftaletider": { kind: "redirect", address: "/management/aftaletider" },
  "management.aftaletider_.$fileId": { kind: "sealed", address: "/management/aftaletider/999999" },
  "management.settings": { kind: "staff", address: "/management/settings" },
  "management.settings._index": { kind: "staff", address: "/management/settings?index" },
  "management.logs_.stikproeve": { kind: "staff", address: "/management/logs/stikproeve" },
  "management.settings.api-noegler": { kind: "staff", address: "/management/settings/api-noegler" },
  "management.settings.job": { kind: "staff", address: "/management/settings/job" },
  "management.settings.navne-og-frister": { kind: "staff", address: "/management/settings/navne-og-frister" },
  "management.settings.sms-svar": { kind: "staff", address: "/management/settings/sms-svar" },
  "management.settings.beskeder._index": { kind: "redirect", address: "/management/settings/beskeder" },
  "management.settings.import": { kind: "staff", address: "/management/settings/import" },
  "management.settings.import_.skabelon[.]csv": {
    kind: "staff",
    address: "/management/settings/import/skabelon.csv?type=klinikker",
  },
  "management.settings.tekster._index": { kind: "redirect", address: "/management/settings/tekster" },
  "management.settings.tekster.$kind": { kind: "staff", address: "/management/settings/tekster/conditions" },
  "management.settings.beskeder.$kind.$channel": { kind: "staff", address: "/management/settings/beskeder/callUp/sms" },
  "management.settings.beskeder.$kind.$channel.brev[.]pdf": {
    kind: "staff",
    address: "/management/settings/beskeder/callUp/print/brev.pdf?body=Hej",
  },
  "management.settings.paamindelser": { kind: "staff", address: "/management/settings/paamindelser" },
  "management.settings.breve": { kind: "staff", address: "/management/settings/breve" },
  "management.settings.breve.brev[.]pdf": { kind: "staff", address: "/management/settings/breve/brev.pdf" },
  "management.change-password_.sikkerhed": { kind: "signedIn", address: "/management/change-password/sikkerhed" },
  "management.change-password": { kind: "signedIn", address: "/management/change-password" },
  "management.betingelser": { kind: "signedIn", address: "/management/betingelser" },
  "management.konto": { kind: "api", address: "/management/konto" },
  "api.docs": { kind: "staffHostPage", address: "/api/docs" },
  // Tested call by call in http/api/.
  "api.$": { kind: "staffHost", address: "/api/Account" },
  "webhooks.sms": { kind: "webhook", address: "/webhooks/sms" },
  "dev.outbox": { kind: "development", address: "/dev/outbox" },
  "dev.outbox_.$outboxId[.]pdf": { kind: "developmentMissing", address: "/dev/outbox/999999.pdf" },
};
