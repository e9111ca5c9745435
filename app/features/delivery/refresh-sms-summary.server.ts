/** For the features whose messages stand in a thread of SMS. */
export { clearDetectedCancellations, refreshSmsSummary } from "./sms-summary-store.server";
