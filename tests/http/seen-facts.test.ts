import { beforeAll, describe, expect, test } from "vitest";
import { filePaths } from "~/features/referrals/file-paths";
import { CLOSED } from "~/features/referrals/model/statuses";
import { drawnForms, sentBy } from "../support/drawn-form";
import { aPdf } from "../support/pdf";
import { accessPortal } from "./access-portal";
import { formOf, type Who } from "./api/api-portal";

const { portal, referrals, ask } = accessPortal();

type Fields = Record<string, string | Blob[]>;
type Drawn = { action: string; fields: Record<string, string> };

const pageOf = () => `/management/overview/${referrals.own.id}`;

/** A form as its page draws it, by its operation and what else it says, e.g. its row. */
async function drawn(who: Who, address: string, intent: string, own: Record<string, string> = {}): Promise<Drawn> {
  const { text } = await ask(who, address);
  for (const form of drawnForms(text)) {
    const fields = Object.fromEntries(sentBy(form, {}, intent));
    const isOfIt = form.intents.includes(intent) || fields.defaultIntent === intent;
    if (isOfIt && Object.entries(own).every(([name, value]) => fields[name] === value))
      return { action: form.action || address, fields };
  }
  throw new Error(`${address} has no form of ${intent}`);
}

async function send(who: Who, { action, fields }: Drawn, typed: Fields = {}) {
  const answer = await fetch(portal.origin + action, {
    method: "POST",
    body: Object.values(typed).some((value) => Array.isArray(value))
      ? formOf({ ...fields, ...typed })
      : new URLSearchParams({ ...fields, ...(typed as Record<string, string>) }),
    redirect: "manual",
    headers: { cookie: portal.cookies[who]!, origin: portal.origin },
  });
  const to = answer.headers.get("location");
  const text = to === null ? await answer.text() : (await ask(who, to)).text;
  return { status: answer.status, text: text.replaceAll("<!-- -->", "") };
}

const stored = () =>
  portal.inDatabase(
    (database) =>
      database.prepare("select status, held_until from referral where id = ?").get(referrals.own.id) as {
        status: number;
        held_until: string | null;
      },
  );

async function setStatus(who: Who, status: number) {
  expect((await send(who, await drawn(who, pageOf(), "setStatus"), { status: String(status) })).status).toBe(303);
}

describe("a status", () => {
  test("that nobody chose does not take a colleague's back", async () => {
    const old = await drawn("admin", pageOf(), "setStatus");
    await setStatus("kirurg", 2);
    const { status, text } = await send("admin", old, { status: "0" });
    expect([status, text.includes("Ingen ændringer. Status er Visiteret.")]).toEqual([303, true]);
    expect(stored().status).toBe(2);
  });

  test("that two people chose is a conflict that names the colleague", async () => {
    const old = await drawn("admin", pageOf(), "setStatus");
    await setStatus("kirurg", 9);
    const refused = await send("admin", old, { status: "12" });
    expect(refused.status).toBe(409);
    expect(refused.text).toMatch(/nr\. \d+ er nu [^.]+ \([^)]+\)\. Tryk GEM igen, hvis dit valg stadig skal gælde\./);
    expect(stored().status).toBe(9);
    await setStatus("admin", 12);
    expect(stored().status).toBe(12);
  });

  test("that its person has set in another form is no news to them", async () => {
    const old = await drawn("admin", pageOf(), "holdReferral");
    await setStatus("admin", 2);
    expect((await send("admin", old, { period: "week" })).status).toBe(303);
    expect(stored().held_until).not.toBeNull();
  });

  test("that a colleague has set is said before material is asked for", async () => {
    const old = await drawn("admin", `${pageOf()}?ret=materiale`, "askForMaterial");
    await setStatus("kirurg", 12);
    const { status, text } = await send("admin", old, { kinds: "panorama", note: "", otherText: "" });
    expect([status, /Intet er sendt: nr\. \d+ er nu /.test(text)]).toEqual([409, true]);
  });

  test("that a colleague has set is said before a patient is called up", async () => {
    const old = await drawn("admin", pageOf(), "sendCallUp");
    await setStatus("kirurg", 9);
    const { status, text } = await send("admin", old, { incallType: "0" });
    expect([status, /er blevet [^.]+, siden du åbnede siden/.test(text)]).toEqual([409, true]);
  });
});

test("a day that a colleague has put on hold until is not overwritten by a button", async () => {
  const old = await drawn("admin", pageOf(), "holdReferral");
  const others = await send("kirurg", await drawn("kirurg", pageOf(), "holdReferral"), { until: "24.12.2026" });
  expect(others.status).toBe(303);
  const refused = await send("admin", old, { period: "quarter" });
  expect([refused.status, refused.text.includes("på vent til 24.12.2026")]).toEqual([409, true]);
  expect(stored().held_until).toBe("2026-12-24");
});

test("a box that nobody touched does not take a colleague's tick away", async () => {
  const old = await drawn("admin", pageOf(), "declineLetters");
  expect((await send("kirurg", await drawn("kirurg", pageOf(), "declineLetters"), { declined: "on" })).status).toBe(
    303,
  );
  const { declined: _box, ...untouched } = old.fields;
  const { text } = await send("admin", { ...old, fields: untouched });
  expect(text).toContain("Intet er ændret.");
  const again = await drawn("admin", pageOf(), "declineLetters");
  const { declined: _ticked, ...unticked } = again.fields;
  expect((await send("admin", { ...again, fields: unticked })).text).toContain("ikke længere frabedt sig brev");
});

describe("a letter", () => {
  const pdf = (name: string) => new File([aPdf()], name, { type: "application/pdf" });
  const item = { item: "letterNumber:1" };
  const letter = () =>
    portal.inDatabase(
      (database) =>
        database
          .prepare(
            "select file_name from discharge_letter left join stored_file on stored_file.id = diagnosis_file_id where referral_id = ? and deleted_at is null",
          )
          .get(referrals.own.id) as { file_name: string | null } | undefined,
    )?.file_name;
  let old: Drawn;

  beforeAll(async () => {
    old = await drawn("admin", pageOf(), "uploadLetter", item);
    await send("kirurg", await drawn("kirurg", pageOf(), "uploadLetter", item), { letterPdf: [pdf("K.pdf")] });
  });

  test("is not replaced by whoever has not seen it", async () => {
    const { status, text } = await send("admin", old, { letterPdf: [pdf("A.pdf")] });
    expect([status, text.includes("er nu K.pdf.")]).toEqual([409, true]);
    expect(letter()).toBe("K.pdf");
  });

  test("is not deleted by a question that named another file", async () => {
    const question = await drawn("admin", filePaths.deleteLetter(referrals.own.id, 1, ""), "deleteLetter");
    const next = await drawn("kirurg", pageOf(), "uploadLetter", item);
    expect((await send("kirurg", next, { letterPdf: [pdf("A2.pdf")] })).status).toBe(303);
    const { status, text } = await send("admin", question);
    expect([status, text.includes("er nu A2.pdf.")]).toEqual([409, true]);
    expect(letter()).toBe("A2.pdf");
  });
});

describe("the question before closing", () => {
  const files = () =>
    portal.inDatabase(
      (database) =>
        database
          .prepare("select count(*) as shown from referral_file where referral_id = ? and deleted_at is null")
          .get(referrals.own.id) as { shown: number },
    ).shown;
  const question = () =>
    drawn("admin", `/management/overview/${referrals.own.id}/afslut`, "setStatus", { status: String(CLOSED) });

  test("deletes no file that arrived since", async () => {
    const asked = await question();
    const before = files();
    const message = await drawn("tandlaege", pageOf(), "writeMessage");
    const sent = await send("tandlaege", message, {
      text: "Vigtigt",
      attachmentType: "1",
      attachments: [new File([aPdf()], "VIGTIG-journal.pdf", { type: "application/pdf" })],
    });
    expect(sent.status).toBe(303);
    const { status, text } = await send("admin", asked, { isDeleteAttachments: "true" });
    expect([status, text.includes("Filerne på henvisningen er ændret")]).toEqual([409, true]);
    expect([files(), stored().status === CLOSED]).toEqual([before + 1, false]);
  });

  test("closes and keeps what it showed", async () => {
    const asked = await question();
    expect((await send("admin", asked, { isDeleteAttachments: "false" })).status).toBe(303);
    expect(stored().status).toBe(CLOSED);
  });
});

test("a message that two people edit keeps what was typed and says what it is now", async () => {
  const page = pageOf();
  expect((await send("admin", await drawn("admin", page, "writeMessage"), { text: "Ring til os." })).status).toBe(303);
  const id = portal.inDatabase(
    (database) => (database.prepare("select max(id) as id from message").get() as { id: number }).id,
  );
  const edit = (who: Who) => drawn(who, `${page}?ret=${id}`, "editMessage");
  const old = await edit("admin");
  expect((await send("kirurg", await edit("kirurg"), { text: "Ring i morgen.", attachments: [] })).status).toBe(303);
  const { status, text } = await send("admin", old, { text: "Ring straks.", attachments: [] });
  expect([status, text.includes("Nu: Ring i morgen."), text.includes("Ring straks.")]).toEqual([409, true, true]);
});
