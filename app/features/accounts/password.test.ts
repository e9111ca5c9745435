import { expect, test } from "vitest";
import { passwordErrors } from "./password";
import { hashPassword, refuseSimplePassword, verifyPassword } from "./passwords.server";

test.each([
  ["Abcdef1", 0],
  ["Æblegrød7", 0],
  ["åøæÅ123", 0],
  ["Abcde1", 1],
  ["abcdef1", 1],
  ["ABCDEF1", 1],
  ["Abcdefg", 1],
  ["ABCDEFG", 2],
  ["", 4],
])("%j breaks %i rules", (password, errors) => {
  expect(passwordErrors(password)).toHaveLength(errors);
});

const person = { userName: "aase", firstName: "Åse", lastName: "Kjær Sørensen" };

test.each(["Password1", "Qwerty123", "aaseErGod7x", "xxAASE99k", "Soerensen1", "Sørensen1", "1KjærÅse2"])(
  "refuses %s, which is too simple or says whose it is",
  (password) => {
    expect(() => refuseSimplePassword(password, person)).toThrow("weakPassword");
  },
);

const topLists = [
  "Welcome1",
  "Iloveyou1",
  "Football1",
  "Abcdefg1",
  "Julemand1",
  "Abc1234",
  "Aa12345",
  "!Monkey99",
  "Fdsa2026!",
  "P@ssw0rd1",
  "Pa$$w0rd7",
];
const danish = [
  "Velkommen1",
  "Sommer2026",
  "Tandlaege1",
  "Tandlæge!1",
  "1Klinikken1",
  "Kodeord123",
  "Visdomstand7",
  "Hej12345",
  "Elsker1Dig",
  "Muhammed1",
  "Lykke2026",
  "Camilla1!",
];

test.each([...topLists, ...danish])("refuses the common password %s", (password) => {
  expect(() => refuseSimplePassword(password, person)).toThrow("weakPassword");
});

test("checks a password of any length quickly", () => {
  const started = process.cpuUsage();
  refuseSimplePassword(`Grågås9Mose${"aB3".repeat(60)}`, person);
  expect(process.cpuUsage(started).user).toBeLessThan(1_500_000);
});

test.each([
  "Demo1234",
  "Hvidtjoern7Kost",
  "Grågås9Mose",
  "Sørensens4Svaner",
  "Elefantfabrik3",
  "Welcome7Grågås",
  "Vinterbad 2027!",
])("accepts %s", (password) => {
  expect(() => refuseSimplePassword(password, person)).not.toThrow();
});

test("a stored password is Argon2id with 19 MiB and two passes, salted", async () => {
  const [one, two] = await Promise.all([hashPassword("Hvidtjoern7Kost"), hashPassword("Hvidtjoern7Kost")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(one, "Hvidtjoern7Kost")).toBe(true);
  expect(await verifyPassword(one, "hvidtjoern7kost")).toBe(false);
  expect(await verifyPassword("no hash at all", "Hvidtjoern7Kost")).toBe(false);
});

test("no password is right for an unknown account, not even the dummy", async () => {
  expect(await verifyPassword(null, "Ingen har denne adgangskode 1")).toBe(false);
});

test("answers many concurrent checks", async () => {
  const stored = await hashPassword("Hvidtjoern7Kost");
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, index) => verifyPassword(stored, index % 2 === 0 ? "Hvidtjoern7Kost" : "x")),
  );
  expect(answers).toEqual([true, false, true, false, true, false, true, false, true]);
});

test("guesses beyond the queue are told to come again, and the queue is worked off", async () => {
  const guesses = Array.from({ length: 100 }, () => verifyPassword(null, "Forkert1234"));
  const outcomes = await Promise.allSettled(guesses);
  const busy = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(busy.length).toBe(48);
  expect(busy[0]!.reason).toMatchObject({ name: "tooBusy", retryAfterSeconds: 5 });
  expect(await verifyPassword(await hashPassword("Hvidtjoern7Kost"), "Hvidtjoern7Kost")).toBe(true);
});
