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
