/** What other features ask of clinics. */
export { type ClinicCard, clinicIdsOf, findClinic, insertClinic, rewriteClinicTokens } from "./clinic-store.server";
