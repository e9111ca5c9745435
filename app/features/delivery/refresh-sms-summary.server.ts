export { clearDetectedCancellations, refreshSmsSummary } from "./store.server";
