/** What the list of failures takes of the outbox. */
export {
  failureIds,
  findResent as findResentOf,
  handleOvertaken,
  hasBeenSilent,
  lockFailure,
  settleByPerson,
  writeHandled,
} from "./failure-store.server";
