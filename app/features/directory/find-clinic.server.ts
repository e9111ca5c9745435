/** What other features ask of clinics. */
export { type ClinicCard, clinicIdsOf, findClinic } from "./clinic-store.server";
