import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { anAttachment, aReferralLetter, ediSample } from "../../../tests/support/edi/drop";
import { ediPortal } from "../../../tests/support/portals/edi-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { attachEdiMessage, dismissEdiMessage } from "./decide/operations.server";
import { readMessages } from "~/features/messages/operations.server";
import { readEnvelope } from "./reading/read-envelope.server";

/** MedCom samples with the XML element of their envelope number and letter number. */
const samples = [
  { name: "REF01_1.xml", envelope: /Kuv1234/g, letter: /Brv5678/g, cpr: /2406444917/g },
  { name: "REF01_1.edi", envelope: /Kuv1234\d*/g, letter: /Brv5678\d*/g, cpr: /2406444917/g },
  { name: "REF06_1.xml", envelope: /Kuv\d+/g, letter: /Brv\d+/g, cpr: /2406444917/g },
  { name: "REF06_1.edi", envelope: /Kuv12345/g, letter: /Brv56789/g, cpr: /2406444917/g },
  { name: "DIS91_made.xml", envelope: /Kuv91001/g, letter: /Brv91001/g, cpr: /2406444917/g },
] as const;

/** Words of five or more letters that occur once in the file, so that replacing one is unambiguous. */
function wordsOf(text: string): string[] {
  const read = readEnvelope(Buffer.from(text, "latin1"));
  if ("isBroken" in read) throw new Error(read.text);
  const words = new Set<string>();
  const {
    kind: _kind,
    type: _type,
    version: _version,
    status: _status,
    sender: _sender,
    ...said
  } = read.letters[0] as unknown as Record<string, unknown>;
  JSON.stringify(said, (_key, value: unknown) => {
    if (typeof value === "string") for (const word of value.match(/\b[a-z]{5,}\b/g) ?? []) words.add(word);
    return value;
  });
  return [...words].filter((word) => text.split(new RegExp(`\\b${word}\\b`)).length === 2);
}

forEachDatabase("a letter that comes again by EDI", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  const { aCpr, arrives, shown, newest, run, drop } = ediPortal(dialect, (opened) => {
    ({ portal, admin } = opened);
  });
  let turn = 0;

  test.each(samples)("$name: the same words are a duplicate, one other word is a person's", async (sample) => {
    const number = (turn += 1);
    const text = ediSample(sample.name).replace(sample.letter, `Nr${number}`).replace(sample.cpr, aCpr());
    const inEnvelope = (body: string, envelope: number) => body.replace(sample.envelope, `Ku${number}x${envelope}`);
    const arrived = async (body: string) => {
      drop(`a${number}.xml`, body);
      await run();
      return newest();
    };
    const first = await arrived(inEnvelope(text, 0));
    expect(first.state).not.toBe("refused");
    for (const envelope of [0, 1]) {
      const again = `${inEnvelope(text, envelope)}\n`;
      const message = await arrived(again);
      expect([message.state, message.duplicateOf]).toEqual(["duplicate", first.id]);
    }
    const words = wordsOf(text);
    expect(words.length).toBeGreaterThan(2);
    for (let seed = 0; seed < 4; seed++) {
      const word = words[(seed * 7 + number) % words.length]!;
      const changed = inEnvelope(text.replace(new RegExp(`\\b${word}\\b`), [...word].toReversed().join("")), seed % 3);
      const message = await arrived(changed);
      expect([word, message.state, message.reason, message.earlier?.differences.length === 0]).toEqual([
        word,
        "person",
        "otherWords",
        false,
      ]);
    }
  });

  test("an attachment with other bytes under its number waits, the same bytes do not", async () => {
    const cpr = aCpr();
    const [one, other] = [Buffer.from("1. udgave"), Buffer.from("2. udgave")];
    const letter = anAttachment("OBJ-R", one, { cpr, extension: "txt" });
    await arrives(letter);
    await arrives(letter.replace(/<Envelope>(\s*)/, "<Envelope>$1 "));
    expect((await newest()).state).toBe("duplicate");
    await arrives(letter.replace(one.toString("base64"), other.toString("base64")));
    expect(await newest()).toMatchObject({ state: "person", reason: "otherWords", earlier: { differences: [] } });
  });

  test("a person reads both texts, and takes the new one or lays it away", async () => {
    const letter = aReferralLetter({ cpr: aCpr() });
    await arrives(letter);
    const first = await newest();
    await arrives(letter.replace("Kleinsmed", "Smed"));
    const second = await newest();
    expect(second).toMatchObject({
      state: "person",
      duplicateOf: first.id,
      earlier: {
        referralId: first.referralId,
        differences: [{ label: "Stilling", before: "Kleinsmed", now: "Smed" }],
      },
      can: { import: true, attach: true, dismiss: true },
    });
    await portal.as(admin, attachEdiMessage, { messageId: second.id, visitNumber: String(first.referralId) });
    const { items } = await portal.as(admin, readMessages, { referralId: first.referralId! });
    expect(items.at(-1)?.text).toContain("Henvisning pr. EDI");
    await arrives(letter.replace("Kleinsmed", "Grovsmed"));
    await portal.as(admin, dismissEdiMessage, { messageId: (await newest()).id });
    expect((await newest()).state).toBe("dismissed");
    expect((await shown()).filter(({ state }) => state === "imported")).not.toHaveLength(0);
  });

  test("a duplicate in another envelope is answered again, in the same one it is not", async () => {
    const receipts = async () =>
      (await portal.db.selectFrom("outbox").select("id").where("kind", "=", "ediReceipt").execute()).length;
    const letter = aReferralLetter({ cpr: aCpr(), wantsReceipt: true });
    await arrives(letter);
    const before = await receipts();
    await arrives(`${letter}\n`);
    expect([(await newest()).state, await receipts()]).toEqual(["duplicate", before]);
    await arrives(letter.replace(/Kuv\d+/, "Kuv99999"));
    expect([(await newest()).state, await receipts()]).toEqual(["duplicate", before + 1]);
  });
});
