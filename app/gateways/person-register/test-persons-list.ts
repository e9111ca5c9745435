import type { PersonAnswer } from "./port";

/**
 * Fictitious persons. `medcom`: MedCom's national test patients from HL7 Denmark's examples, for test systems only.
 * `invented`: under impossible numbers (day + 60), for other cases.
 */
export const testPersons: Readonly<Record<string, { source: "medcom" | "invented"; answer: PersonAnswer }>> = {
  "251248-9996": medcom("Nancy Ann", "Berggren", "Testpark Allé 48", "3400", "Hillerød"),
  "021122-3989": medcom("Åge Test", "Berggren", "Testvænget 1", "8000", "Aarhus C"),
  "250947-9989": medcom("Bruno Test", "Elmer", "Testdrømmehaven 48", "3400", "Hillerød"),
  "010772-9995": medcom("Max Test", "Berggren", "Testervej 18", "6200", "Aabenraa"),
  "150277-9995": medcom("Ruddi Test", "Berggren", "Testjulianevej 3", "8000", "Aarhus C"),
  "291182-9996": medcom("Kirsten Test", "Berggren", "Testpark Allé 48", "3400", "Hillerød"),
  "050505-9996": medcom("Pia Test", "Berggren", "Testgaden 1", "5230", "Odense M"),
  "050515-9995": medcom("Lars Test", "Berggren", "Testpark Allé 48", "3400", "Hillerød"),
  "610180-9990": { source: "invented", answer: { kind: "protected" } },
  "630180-9990": {
    source: "invented",
    answer: {
      kind: "found",
      firstName: "Åge Opdigtet",
      lastName: "Vandring",
      address: "Uden fast bopæl",
      zip: "8000",
      city: "Aarhus C",
      status: "03",
    },
  },
  "620135-9990": {
    source: "invented",
    answer: {
      kind: "found",
      firstName: "Søren Opdigtet",
      lastName: "Død",
      address: "",
      zip: "",
      city: "",
      status: "90",
    },
  },
};

function medcom(firstName: string, lastName: string, address: string, zip: string, city: string) {
  return {
    source: "medcom",
    answer: { kind: "found", firstName, lastName, address, zip, city, status: "01" },
  } as const;
}
