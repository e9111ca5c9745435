/** What the list of failures takes of the outbox. */
export {
  failureIds,
  findResent as findResentOf,
  hasBeenSilent,
  isStuck,
  lockFailure,
  settleByPerson,
  writeHandled,
} from "./failure-store.server";
