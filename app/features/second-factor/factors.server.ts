/** What other features ask of people's second factors. */
export {
  activatePending,
  countUnusedCodes,
  deleteFactors,
  findFactor,
  hasFactor,
  insertPending,
  replaceCodes,
  takeStep,
} from "./second-factor-store.server";
