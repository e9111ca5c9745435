import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Refusal } from "~/access/refusal";
import { sendTestEmail, sendTestSms } from "~/features/accounts/operations.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { readLetterLayout } from "~/features/letters/letter-pdf.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import {
  readLetterSettings,
  saveLetterPhrases,
  removeLetterLogo,
  saveLetterLogo,
  saveLetterSettings,
  saveMessageText,
  saveSenders,
} from "./operations.server";
import { downloadLetterSample } from "./read-message-text.server";

const head = {
  clinicName: "Kæbekirurgerne",
  address: "Åboulevarden 1",
  zip: "8000",
  city: "Aarhus C",
  phone: "86 00 00 00",
  email: "klinik@eksempel.dk",
  web: "www.eksempel.dk",
};
const window = { windowLeft: "22,5", windowTop: "45" };

forEachDatabase("letters and senders", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "logo-"));
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
  });
  afterAll(async () => {
    await portal.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    await portal.db.deleteFrom("setting").execute();
    await portal.db.deleteFrom("messageTemplate").execute();
    await portal.db.deleteFrom("outbox").execute();
    portal.cache.invalidate("senders");
  });

  const read = () => portal.as(admin, readLetterSettings, {});
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => {
        throw new Error("was not refused");
      },
      (error: Refusal) => error,
    );
  /** Uploads a file with a form, as the page does. */
  async function uploadLogo(name: string, content: Uint8Array) {
    const formKey = `logo-${++count}`;
    const file = path.join(folder, `${count}-${name}`);
    writeFileSync(file, content);
    const stored = await storeUpload(portal, file, name, "logo", { requestedBy: "test" });
    if ("refused" in stored) throw new Error(stored.refused);
    await portal.as(admin, stageUploads, {
      formKey,
      files: [{ ...stored.accepted, field: "letterLogo", kind: "logo" }],
    });
    return portal.as(admin, saveLetterLogo, { formKey });
  }
  const picture = (format: "png" | "jpeg") =>
    sharp({ create: { width: 300, height: 60, channels: 4, background: { r: 59, g: 98, b: 135, alpha: 0.5 } } })
      .toFormat(format)
      .toBuffer();

  test("until set, letters have the configuration's name and batches wait", async () => {
    expect(await read()).toMatchObject({
      letter: { clinicName: "", address: "", windowLeft: "20", windowTop: "42", batchHour: "" },
      logo: { name: null },
      isUnanswerable: false,
    });
    const layout = await readLetterLayout(portal);
    expect(layout).toMatchObject({ window: { left: 20, top: 42 }, logo: portal.config.clinicLogo });
    expect(layout.letterhead.clinicName).toBe(portal.config.clinicName);
  });

  test("what is saved is what letters are made with", async () => {
    await portal.as(admin, saveLetterSettings, { ...head, ...window, batchHour: "07" });
    expect(await read()).toMatchObject({ letter: { ...head, windowLeft: "22,5", windowTop: "45", batchHour: "07" } });
    expect(await readLetterLayout(portal)).toMatchObject({ letterhead: head, window: { left: 22.5, top: 45 } });
    await portal.as(admin, saveLetterSettings, { ...window, batchHour: "" });
    expect((await readLetterLayout(portal)).letterhead.clinicName).toBe(portal.config.clinicName);
    expect(await read()).toMatchObject({ letter: { batchHour: "" } });
  });

  test("standard phrases are kept one a line, without empty ones", async () => {
    await portal.as(admin, saveLetterPhrases, { medicine: " Ibuprofen 400 mg.\r\n\r\nPenicillin.\n" });
    expect((await read()).phrases).toEqual({
      diagnosis: "",
      treatment: "",
      medicine: "Ibuprofen 400 mg.\nPenicillin.",
      followUp: "",
    });
    for (const medicine of ["a".repeat(3001), "Ingen.\n".repeat(21)])
      expect((await refusal(portal.as(admin, saveLetterPhrases, { medicine }))).name).toBe("invalid");
  });

  test.each([
    [{ windowLeft: "300" }],
    [{ windowLeft: "" }],
    [{ windowTop: "5" }],
    [{ windowTop: "x" }],
    [{ windowLeft: "60", windowTop: "40" }],
    [{ zip: "80" }],
    [{ phone: "ring" }],
    [{ email: "klinik" }],
    [{ web: "www eksempel" }],
    [{ batchHour: "03" }],
  ])("%j is refused", async (changes) => {
    expect((await refusal(portal.as(admin, saveLetterSettings, { ...head, ...window, ...changes }))).name).toBe(
      "invalid",
    );
    expect((await read()).letter.clinicName).toBe("");
  });

  test("a name that stands in a mail's head has one line", async () => {
    await portal.as(admin, saveLetterSettings, { ...head, ...window, clinicName: "En\r\nBcc: to@eksempel.dk" });
    expect((await read()).letter.clinicName).toBe("En Bcc: to@eksempel.dk");
  });

  test.each(["png", "jpeg"] as const)("a logo as %s stands on the letters, as a JPEG", async (format) => {
    await uploadLogo(`Vores logo.${format === "png" ? "png" : "jpg"}`, await picture(format));
    expect((await read()).logo).toMatchObject({ name: "Vores logo.jpg" });
    const { logo } = await readLetterLayout(portal);
    expect(await sharp(logo as Buffer).metadata()).toMatchObject({ format: "jpeg", width: 300, height: 60 });
    const file = await portal.as(admin, downloadLetterSample, {});
    const pdf = (await buffer(await file.open())).toString("latin1");
    expect(pdf).toContain("/DCTDecode");
  });

  test("a new logo replaces the old one, whose file goes with the next purge", async () => {
    await uploadLogo("a.png", await picture("png"));
    await uploadLogo("b.png", await picture("jpeg").then((jpeg) => sharp(jpeg).png().toBuffer()));
    const files = () =>
      portal.db
        .selectFrom("storedFile")
        .select(["fileName", "purgeAfter"])
        .where("fileName", "in", ["a.jpg", "b.jpg"])
        .orderBy("id")
        .execute();
    expect((await files()).map(({ purgeAfter }) => purgeAfter === null)).toEqual([false, true]);
    await portal.as(admin, removeLetterLogo, {});
    expect((await files()).map(({ purgeAfter }) => purgeAfter === null)).toEqual([false, false]);
    expect((await readLetterLayout(portal)).logo).toBe(portal.config.clinicLogo);
  });

  test("a picture that cannot be drawn is refused, and the logo stays", async () => {
    await uploadLogo("a.png", await picture("png"));
    const noise = Buffer.from(Array.from({ length: 300 * 60 * 3 }, (_, nth) => (nth * 7919) % 251));
    const whole = await sharp(noise, { raw: { width: 300, height: 60, channels: 3 } })
      .png()
      .toBuffer();
    const damaged = Buffer.concat([whole.subarray(0, 200), Buffer.alloc(whole.length - 216, 7), whole.subarray(-16)]);
    expect((await refusal(uploadLogo("damaged.png", damaged))).fields.letterLogo).toEqual([
      "Billedet kan ikke åbnes. Gem det igen som PNG eller JPEG.",
    ]);
    expect((await read()).logo.name).toBe("a.jpg");
  });

  test("a form without a file says so", async () => {
    expect((await refusal(portal.as(admin, saveLetterLogo, { formKey: "none" }))).fields.letterLogo).toEqual([
      "Vælg en PNG- eller JPEG-fil.",
    ]);
  });

  test("mails and SMS come from whom is set, from the next sending on", async () => {
    const sent: string[] = [];
    portal.email.send = async ({ from }) => {
      sent.push(from.name);
      return { outcome: "sent", detail: "" };
    };
    portal.sms.send = async ({ sender }) => {
      sent.push(sender);
      return { outcome: "sent", detail: "" };
    };
    const sendBoth = async () => {
      await portal.as(admin, sendTestEmail, {});
      await portal.as(admin, sendTestSms, { mobilePhone: "40 12 34 56" });
      for (const channel of ["email", "sms"] as const)
        await portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel });
      return sent.splice(0);
    };
    expect(await sendBoth()).toEqual([portal.config.productName, portal.config.sms.sender]);
    await portal.as(admin, saveSenders, { emailSenderName: "Kæbekirurgerne", smsSender: "Kirurgerne" });
    expect(await sendBoth()).toEqual(["Kæbekirurgerne", "Kirurgerne"]);
  });

  test.each([
    { smsSender: "Kæberne" },
    { smsSender: "Kæbekirurgerne1" },
    { smsSender: "K" },
    { emailSenderName: "A <b@c>" },
  ])("%j is no sender", async (names) => {
    expect((await refusal(portal.as(admin, saveSenders, names))).name).toBe("invalid");
  });

  test("warns of a text that asks for an answer under a sender's name", async () => {
    await portal.as(admin, saveMessageText, {
      kind: "callUp",
      channel: "sms",
      body: "Svar JA, hvis du kommer",
    });
    expect((await read()).isUnanswerable).toBe(true);
    await portal.as(admin, saveSenders, { smsSender: "4540123456" });
    expect((await read()).isUnanswerable).toBe(false);
  });
});
