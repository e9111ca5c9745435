export { type ClinicCard, clinicIdsOf, findClinic, insertClinic, rewriteClinicTokens } from "./clinic-store.server";
