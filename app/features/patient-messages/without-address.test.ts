import { expect, test } from "vitest";
import { recipientOf } from "./ways";
import { registerVerdict } from "./patient-hooks.server";

const patient = {
  cpr: "010190-1234",
  firstName: "Åge",
  lastName: "Vandring",
  zip: "8000",
  city: "Aarhus C",
  mobilePhone: "40 12 34 56",
  email: null,
  isWithoutEboks: false,
  isUnder15: false,
  isTest: false,
};
const place = { config: { production: true }, personRegister: { isReal: true } } as Parameters<
  typeof registerVerdict
>[2];

test.each(["Uden fast bopæl", "KILDESKATTEPLIGTIG", "- adresse ukendt", ""])(
  "no paper letter goes to %j, and an SMS does",
  (address) => {
    expect(recipientOf("print", { ...patient, address })).toEqual({ obstacle: "noAddress" });
    expect(recipientOf("sms", { ...patient, address })).toEqual({ to: "+4540123456" });
  },
);

test("a child's e-Boks gets nothing, and the paper letter is for the parents", () => {
  const child = { ...patient, address: "Storegade 1", isUnder15: true };
  expect(recipientOf("eboks", child)).toEqual({ obstacle: "under15" });
  expect(recipientOf("print", child)).toEqual({ to: "Til forældrene til Åge Vandring\nStoregade 1\n8000 Aarhus C" });
});

test("a street that begins alike is an address", () => {
  expect(recipientOf("print", { ...patient, address: "Ukendtes Allé 4" })).toHaveProperty("to");
});

test.each([
  ["without a fixed abode", "03", "Uden fast bopæl"],
  ["known to the tax office alone", "20", "Storegade 1"],
  ["without any address", "01", ""],
])("the register stops the paper letter to somebody %s, and no other message", (_, status, address) => {
  const answer = {
    kind: "found",
    firstName: "Åge",
    lastName: "V",
    zip: "8000",
    city: "Aarhus C",
    address,
    status,
  } as const;
  expect(registerVerdict("print", answer, place)).toMatchObject({ outcome: "failed", reason: "noAddress" });
  expect(registerVerdict("eboks", answer, place)).toBeNull();
});
