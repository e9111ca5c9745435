export { stopAwaiting } from "./receipt-store.server";
/** What the list of failures takes of the outbox. */
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
