export { type ClinicCard, clinicIdsOf, findClinic, insertClinic, rewriteClinicTokens } from "./store.server";
