export { stopAwaiting } from "./receipt-store.server";
/** Outbox functions used by the list of failures. */
export {
  failureIds,
  findResent,
  handleByPortal,
  handleOvertaken,
  hasBeenSilent,
  lockFailure,
  settleByPerson,
  writeHandled,
} from "./failure-store.server";
