import fc from "fast-check";
import { expect, test } from "vitest";
import { isWholeLogin, isWholePerson, loginTelegram, queryTelegram, readLogin, readPerson } from "./cpr-direct.server";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);
const credentials = { customer: "0384", user: "KLINIK1", password: "hem1" };
const nancy = "2512489996";

function answerWith(fields: Record<number, string> = {}, { code = "00", cpr = nancy, extra = "" } = {}): Buffer {
  const record = Buffer.alloc(469, " ");
  record.write("001", 0, "latin1");
  record.write(cpr, 3, "latin1");
  record.write("01", 22, "latin1");
  record.write("0".repeat(12), 70, "latin1");
  for (const [at, text] of Object.entries(fields)) record.write(text, Number(at), "latin1");
  return Buffer.concat([
    Buffer.from(`038406TOKEN123KLINIK1 ${code}0553`, "latin1"),
    Buffer.from("000".padEnd(35, "0"), "latin1"),
    record,
    Buffer.from(extra, "latin1"),
    Buffer.from("999999999999900000003", "latin1"),
  ]);
}

const åse = { 218: "Ærøvej 1, 2. tv", 286: "8000", 290: "Aarhus C", 332: "Åse Marie", 382: "Sørensen" };

test("telegrams have the service's lengths and positions", () => {
  expect(loginTelegram(credentials).toString("latin1")).toBe("PRIV,038490KLINIK1 hem1            ");
  expect(loginTelegram({ ...credentials, user: "KLINIK12", password: "hæm1ligt" })).toHaveLength(35);
  expect(queryTelegram(credentials, "TOKEN123", nancy).toString("latin1")).toBe(
    `PRIV,038406TOKEN123KLINIK1 00${nancy}`,
  );
});

test("a login's answer", () => {
  const answer = (text: string) => readLogin(Buffer.from(text, "latin1"));
  expect(answer("038490fJrr7CCxKLINIK1 00")).toEqual({ kind: "token", token: "fJrr7CCx" });
  expect(answer("038490        KLINIK1 01")).toEqual({ kind: "error", code: 1 });
  expect(answer("038490        KLINIK1 00")).toEqual({ kind: "unreadable" });
  expect(answer("HTTP/1.1 400 Bad Request\r\n\r\n")).toEqual({ kind: "unreadable" });
  expect(answer("038490fJrr7CCxKLINIK1 0")).toEqual({ kind: "unreadable" });
});

test("a person with æøå", () => {
  expect(readPerson(answerWith(åse), nancy)).toEqual({
    kind: "found",
    firstName: "Åse Marie",
    lastName: "Sørensen",
    address: "Ærøvej 1, 2. tv",
    zip: "8000",
    city: "Aarhus C",
    status: "01",
  });
  expect(readPerson(answerWith(åse, { extra: `050${nancy}`.padEnd(29) }), nancy)).toMatchObject({
    kind: "found",
    lastName: "Sørensen",
  });
  expect(readPerson(Buffer.concat([answerWith(åse), Buffer.from("\r\n")]), nancy)).toMatchObject({ kind: "found" });
});

test("an address is protected by its date, or when name and address are missing", () => {
  expect(readPerson(answerWith({ 70: "202405011200" }), nancy)).toEqual({ kind: "protected" });
  expect(readPerson(answerWith({ ...åse, 70: "202405011200" }), nancy)).toEqual({ kind: "protected" });
  expect(readPerson(answerWith(), nancy)).toEqual({ kind: "protected" });
});

test("the dead have a name and no address; a withdrawn number is not found", () => {
  expect(readPerson(answerWith({ 22: "90", 332: "Ole", 382: "Bjørn" }), nancy)).toMatchObject({
    kind: "found",
    address: "",
    zip: "",
    status: "90",
  });
  expect(readPerson(answerWith({ 22: "60" }), nancy)).toEqual({ kind: "notFound" });
});

test("errors", () => {
  expect(readPerson(answerWith({}, { code: "05" }), nancy)).toEqual({ kind: "notFound" });
  expect(readPerson(Buffer.from("038406TOKEN123KLINIK1 05"), nancy)).toEqual({ kind: "notFound" });
  for (const code of ["01", "02", "07", "16", "98"]) {
    expect(readPerson(answerWith({}, { code }), nancy)).toEqual({ kind: "error", code: Number(code) });
  }
});

test.each<[string, Buffer]>([
  ["another person", answerWith(åse, { cpr: "0211223989" })],
  ["half", answerWith(åse).subarray(0, 300)],
  ["without its end", answerWith(åse).subarray(0, -21)],
  ["one character short", Buffer.concat([answerWith(åse).subarray(0, 200), answerWith(åse).subarray(201)])],
  [
    "one character long",
    Buffer.concat([answerWith(åse).subarray(0, 200), Buffer.from(" "), answerWith(åse).subarray(200)]),
  ],
  [
    "one character long, without an address",
    Buffer.concat([answerWith({ 332: "Åse" }).subarray(0, 200), Buffer.from(" "), answerWith().subarray(200)]),
  ],
  ["no status", answerWith({ ...åse, 22: "  " })],
  ["no post code", answerWith({ ...åse, 286: "80a0" })],
  ["control characters", answerWith({ ...åse, 332: "Å\0se\u0007" })],
  ["nothing", Buffer.alloc(0)],
])("unreadable: %s", (_what, answer) => {
  expect(readPerson(answer, nancy)).toEqual({ kind: "unreadable" });
});

test("a malformed telegram never throws, nor becomes a wrong person", () => {
  const spoilt = fc
    .tuple(
      fc.array(fc.tuple(fc.nat(552), fc.nat(255)), { maxLength: 40 }),
      fc.nat(560),
      fc.uint8Array({ maxLength: 30 }),
    )
    .map(([changes, length, tail]) => {
      const answer = Buffer.from(answerWith(åse));
      for (const [at, byte] of changes) answer[at] = byte;
      return Buffer.concat([answer.subarray(0, length), tail]);
    });
  const any = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    spoilt,
  );
  fc.assert(
    fc.property(any, (bytes) => {
      isWholeLogin(bytes);
      isWholePerson(bytes);
      readLogin(bytes);
      const answer = readPerson(bytes, nancy);
      expect(answer.kind === "found" ? answer.zip : "").toMatch(/^(\d{4})?$/);
    }),
    { numRuns },
  );
  expect(numRuns).toBeGreaterThan(0);
});

test("every text that fits its fields is read back", () => {
  const text = (max: number) =>
    fc
      .string({ unit: fc.constantFrom(..."abcæøåÆØÅéüß ,.-'"), minLength: 1, maxLength: max })
      .map((value) => value.trim() || "x");
  fc.assert(
    fc.property(
      text(50),
      text(40),
      text(34),
      text(20),
      fc.integer({ min: 0, max: 9999 }),
      (firstName, lastName, address, city, code) => {
        const zip = String(code).padStart(4, "0");
        const answer = answerWith({ 218: address, 286: zip, 290: city, 332: firstName, 382: lastName });
        expect(readPerson(answer, nancy)).toEqual({
          kind: "found",
          firstName,
          lastName,
          address,
          zip,
          city,
          status: "01",
        });
      },
    ),
    { numRuns },
  );
});
