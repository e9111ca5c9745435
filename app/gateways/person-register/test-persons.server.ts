import type { PersonRegister } from "./port";
import { testPersons } from "./test-persons-list";

/** The embedded default: nobody is asked, and only the listed test persons are known. */
export function createTestPersons(): PersonRegister {
  return {
    label: "Ikke indstillet: svarer kun for testpersoner",
    isReal: false,
    find: (cpr) => Promise.resolve(testPersons[cpr]?.answer ?? { kind: "notFound" }),
  };
}
