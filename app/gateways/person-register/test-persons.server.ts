import type { PersonRegister } from "./port";
import { testPersons } from "./test-persons-list";

/** Knows only the listed test persons. */
export function createTestPersons(): PersonRegister {
  return {
    label: "Ikke indstillet: svarer kun for testpersoner",
    isReal: false,
    find: (cpr) => Promise.resolve(testPersons[cpr]?.answer ?? { kind: "notFound" }),
  };
}
