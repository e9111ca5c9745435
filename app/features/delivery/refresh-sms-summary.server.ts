export { clearDetectedCancellations, refreshSmsSummary } from "./sms-summary-store.server";
