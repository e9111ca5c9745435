import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { addHours } from "date-fns";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { removeExpired } from "~/features/maintenance/operations.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { MAX_ACTIVE_CLINICS, tooManyClinics } from "~/features/directory/operations.server";
import { aClinic, aPerson, fillClinics } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { importDirectory, readDirectoryImport, uploadDirectory } from "./import-directory.server";
import type { ImportKind } from "./import-columns";

const CLINIC_HEAD = "Titel;Adresse;Postnummer;By;E-mail;Telefon";

forEachDatabase("clinics and referrers from a file", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let count = 0;
  const folder = mkdtempSync(path.join(os.tmpdir(), "directory-import-"));

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
  });
  afterAll(async () => {
    await portal.close();
    rmSync(folder, { recursive: true });
  });

  /** Uploads a file with the page's form and reads the dry run. */
  async function upload(kind: ImportKind, content: string | Buffer) {
    const formKey = `import-${++count}`;
    const file = path.join(folder, `${count}.csv`);
    writeFileSync(file, content);
    const stored = await storeUpload(portal, file, "fil.csv", "directory", { requestedBy: "test" });
    if ("refused" in stored) throw new Error(stored.refused);
    const accepted = { ...stored.accepted, field: "DirectoryFile", kind: "directory" as const };
    await portal.as(admin, stageUploads, { formKey, files: [accepted] });
    const { to } = await portal.as(admin, uploadDirectory, { formKey, kind });
    return (await dryRun(Number(to!.split("=").at(-1))))!;
  }
  const dryRun = async (planId: number, person = admin) =>
    (await portal.as(person, readDirectoryImport, { planId })).dryRun;
  const press = ({ planId }: { planId: number }, more = {}) => portal.as(admin, importDirectory, { planId, ...more });
  const clinicsNamed = async (name: string) =>
    (await portal.db.selectFrom("clinic").select("id").where("name", "=", name).execute()).length;

  test("a dry run reports the outcome of each line and writes nothing", async () => {
    await aClinic(portal, "Tandhuset");
    const run = await upload(
      "klinikker",
      Buffer.from(
        [
          "By;Titel;Postnummer;Adresse;E-mail;Telefon;Mobil;Andet",
          "Aarhus;Kæbeklinikken;8000;Åvej 1;k@eksempel.dk;+45 86 12 34 56;;x",
          "Aarhus;TANDHUSET;8000;Åvej 2;t@eksempel.dk;86123456;;",
          "Aarhus;Kæbeklinikken;8000;Åvej 3;k@eksempel.dk;86123456;;",
          "Aarhus;Uden mail;8000;Åvej 4;nej;;;",
          "Aarhus;=HYPERLINK(1);8000;Åvej 5;f@eksempel.dk;86123456;;",
        ].join("\r\n"),
        "latin1",
      ),
    );
    expect(run.counts).toEqual({ new: 1, there: 1, wrong: 3 });
    expect(run.lines.map(({ line, outcome, errors }) => [line, outcome, ...errors.map((f) => f.column)])).toEqual([
      [4, "wrong", "Titel"],
      [5, "wrong", "E-mail", "Telefon"],
      [6, "wrong", "Titel"],
      [2, "new"],
      [3, "there"],
    ]);
    expect(run.lines[0]!.errors[0]!.text).toBe("Står også på linje 2.");
    expect(await clinicsNamed("Kæbeklinikken")).toBe(0);
  });

  test("a file is imported once, however often it is submitted", async () => {
    const file = "Titel,Adresse,Postnummer,By,E-mail,Telefon\nØst,Vej 1,8000,Aarhus,o@eksempel.dk,10000001\n";
    const run = await upload("klinikker", file);
    const pressed = await Promise.allSettled([press(run), press(run)]);
    expect(pressed.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(press(run)).rejects.toMatchObject({ name: "invalid", text: expect.stringContaining("ikke længere") });
    expect(await clinicsNamed("Øst")).toBe(1);
    expect((await upload("klinikker", file)).counts).toEqual({ new: 0, there: 1, wrong: 0 });
  });

  test("a line that comes out otherwise by now is shown again, the rest is imported", async () => {
    const run = await upload(
      "klinikker",
      "Titel\tAdresse\tPostnummer\tBy\tE-mail\tTelefon\nVest\tV\t8000\tB\tv@e.dk\t10000001\nNord\tV\t8000\tB\tv@e.dk\t10000001\n",
    );
    await aClinic(portal, "Vest");
    const { to, flash } = await press(run);
    expect(flash!.text).toBe(
      "1 af 2 linjer er importeret. 1 er vurderet igen, fordi portalen er ændret siden prøvekørslen: se den her.",
    );
    expect(to).toContain(`plan=${run.planId}`);
    expect([await clinicsNamed("Vest"), await clinicsNamed("Nord")]).toEqual([1, 1]);
    expect((await dryRun(run.planId))!.lines).toEqual([
      expect.objectContaining({ line: 2, outcome: "there", isShownAgain: true }),
    ]);
    await press(run);
    expect([await clinicsNamed("Vest"), await dryRun(run.planId)]).toEqual([1, null]);
  });

  test("a dry run is its person's alone, encrypted, and gone after a day", async () => {
    const other = await aPerson(portal, { role: "Admin" });
    const run = await upload("klinikker", `${CLINIC_HEAD}\nHemmelighuset;V;8000;B;v@e.dk;1\n`);
    expect(await dryRun(run.planId, other)).toBeNull();
    await expect(portal.as(other, importDirectory, { planId: run.planId })).rejects.toMatchObject({ name: "invalid" });
    expect(JSON.stringify(await portal.db.selectFrom("directoryPlan").selectAll().execute())).not.toContain("Hemmelig");
    const made = portal.clock.now();
    portal.clock.set(addHours(made, 25).toISOString());
    expect(await dryRun(run.planId)).toBeNull();
    await expect(press(run)).rejects.toMatchObject({ name: "invalid" });
    await portal.as({ kind: "system", job: "worker" }, removeExpired, {});
    expect(await portal.db.selectFrom("directoryPlan").select("id").where("id", "=", run.planId).execute()).toEqual([]);
    portal.clock.set(made.toISOString());
  });

  test("invisible signs are not stored; a shortened number is refused with its cause", async () => {
    const run = await upload(
      "klinikker",
      `${CLINIC_HEAD}\nKlinik\u200b\u00a0Syd\u200e;V;8000;B;v@e.dk;\u202a86 12 34 56\nKort;V;8000;B;v@e.dk;7E+07\nSkredet;V;8000;B;v@e.dk\n`,
    );
    expect(run.lines.map(({ line, errors }) => [line, ...errors.map(({ column, text }) => [column, text])])).toEqual([
      [3, ["Telefon", expect.stringContaining("Et regneark har forkortet tallet til 7E+07")]],
      [4, ["", expect.stringContaining("Linjen har 5 felter, men kolonnernes navne har 6 felter")]],
      [2],
    ]);
    await press(run);
    expect(
      await portal.db.selectFrom("clinic").select(["name", "phone"]).where("name", "=", "Klinik Syd").execute(),
    ).toEqual([{ name: "Klinik Syd", phone: "86 12 34 56" }]);
  });

  test("referrers come with clinic, role and ids, and get their link where chosen", async () => {
    const clinicId = await aClinic(portal, "Åklinikken");
    const taken = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    const head = "Fornavn;Efternavn;Brugernavn;E-mail;Henviser id;EDI;Telefon;Mobil;Tandlæge sekretær;Klinik";
    const run = await upload(
      "henvisere",
      [
        "sep=;",
        head,
        "Åse;Kjær;aase.kjaer;aase@eksempel.dk;77;0042;;;;åklinikken",
        "Bo;Dahl;bo.dahl;bo@eksempel.dk;;;;;Ja;Åklinikken",
        `Otto;Andersen;${taken.userName};otto@eksempel.dk;;;;;nej;Åklinikken`,
        "Nanna;Nielsen;nanna;nanna@eksempel.dk;;;;;måske;Åklinikken",
        "Ida;Iversen;ida;ida@eksempel.dk;;;;;;Findes ikke",
      ].join("\n"),
    );
    expect(run.lines.map(({ line, outcome, errors }) => [line, outcome, errors[0]?.text])).toEqual([
      [5, "wrong", "Brugernavn allerede taget."],
      [6, "wrong", "Skriv ja eller nej."],
      [7, "wrong", expect.stringContaining("»Findes ikke«")],
      [3, "new", undefined],
      [4, "new", undefined],
    ]);
    await press(run, { sendLinks: "on" });
    const made = await portal.db
      .selectFrom("user")
      .innerJoin("userRole", "userRole.userId", "user.id")
      .innerJoin("userClinic", "userClinic.userId", "user.id")
      .select(["userName", "ediDentistId", "dentistExternalId", "role", "clinicId", "creatorId"])
      .where("userName", "in", ["aase.kjaer", "bo.dahl"])
      .orderBy("userName")
      .execute();
    const common = { clinicId, creatorId: admin.id };
    expect(made).toEqual([
      { userName: "aase.kjaer", ediDentistId: "0042", dentistExternalId: "77", role: "Dentist", ...common },
      { userName: "bo.dahl", ediDentistId: null, dentistExternalId: null, role: "Dentist Secretary", ...common },
    ]);
    const mails = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "newUser").execute();
    expect(mails.map((mail) => unsealMessage(portal.secrets, mail).to).sort()).toEqual([
      "aase@eksempel.dk",
      "bo@eksempel.dk",
    ]);
    const quiet = await upload("henvisere", `${head}\nUffe;Uhre;uffe;uffe@eksempel.dk;;;;;;Åklinikken\n`);
    await press(quiet);
    expect(await portal.db.selectFrom("outbox").select("id").where("kind", "=", "newUser").execute()).toHaveLength(2);
  });

  test("a user name that differs by signs nobody sees is the same one", async () => {
    await aClinic(portal, "Søklinikken");
    const file = (userName: string) =>
      `Fornavn;Efternavn;Brugernavn;E-mail;Klinik\nJens\u200b;Bo;${userName};jens@eksempel.dk;Søklinikken\n`;
    await press(await upload("henvisere", file("jens\u200b.bo")));
    expect((await upload("henvisere", file("jens.bo"))).counts).toEqual({ new: 0, there: 1, wrong: 0 });
    expect(await portal.db.selectFrom("user").select("firstName").where("userName", "=", "jens.bo").execute()).toEqual([
      { firstName: "Jens" },
    ]);
  });

  test("a file without its columns, or with too many lines, is refused as a whole", async () => {
    await expect(upload("klinikker", "Navn\nA\n")).rejects.toMatchObject({
      fields: { DirectoryFile: [expect.stringContaining("Filen mangler kolonnerne Titel, Adresse")] },
    });
    const line = "A;V;1;B;a@eksempel.dk;1\n";
    await expect(
      upload("klinikker", `Titel;Adresse;Postnummer;By;E-mail;Telefon\n${line.repeat(501)}`),
    ).rejects.toMatchObject({ fields: { DirectoryFile: ["Filen har for mange linjer: højst 500."] } });
  });

  test("clinics beyond those that pages can offer are refused line by line", async () => {
    await fillClinics(portal, MAX_ACTIVE_CLINICS - 1);
    const line = (name: string) => `${name};Åvej 1;8000;Aarhus;k@eksempel.dk;86123456`;
    const run = await upload("klinikker", [CLINIC_HEAD, line("Sidste Klinik"), line("En for meget")].join("\n"));
    expect(run.lines.map(({ name, outcome, errors }) => [name, outcome, errors.map(({ text }) => text)])).toEqual([
      ["En for meget", "wrong", [tooManyClinics]],
      ["Sidste Klinik", "new", []],
    ]);
    await press(run);
    expect([await clinicsNamed("Sidste Klinik"), await clinicsNamed("En for meget")]).toEqual([1, 0]);
  });
});
