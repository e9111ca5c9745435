import { aClinic, aPerson } from "../../factories/people";
import { createTestPortal, type Dialect } from "../test-portal";

/** An empty portal with an administrator, and a dentist in a clinic of their own. The test closes it. */
export async function portalWithPeople(dialect: Dialect) {
  const portal = await createTestPortal(dialect);
  return {
    portal,
    admin: await aPerson(portal, { role: "Admin" }),
    dentist: await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] }),
  };
}
