/** What other features ask of people's second factors. */
export {
  activatePending,
  countUnusedCodes,
  deleteFactors,
  findFactor,
  hasFactor,
  insertPending,
  replaceCodes,
  consumeTotpStep,
} from "./second-factor-store.server";
