import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { downloadReferralFile } from "~/features/referrals/images/download-referral-file.server";
import { aReferral } from "../../../tests/factories/referrals";
import { csv, messagesPortal, type People } from "../../../tests/support/portals/messages-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { editMessage } from "./operations.server";

forEachDatabase("messages", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let people: People;
  let referralId: number;
  const { write, thread, hold } = messagesPortal(dialect, (begun) => {
    ({ portal, people, referralId } = begun);
  });
  let count = 0;

  describe("editing", () => {
    const edit = (person: Person, messageId: number, more: Record<string, unknown> = {}) =>
      portal.as(person, editMessage, {
        referralId,
        messageId,
        seenVersion: 1,
        formKey: `ret-${++count}`,
        text: "Rettet",
        ...more,
      });
    const newest = async () => (await thread(people.admin)).items.at(-1)!;

    test("dentists and secretaries edit only their own messages, staff only the clinic's", async () => {
      const may: [Person, Person[], Person[]][] = [
        [people.dentist, [people.dentist], [people.secretary, people.admin, people.surgeon, people.otherDentist]],
        [people.secretary, [people.secretary], [people.dentist, people.admin, people.surgeon, people.otherSecretary]],
        [people.admin, [people.admin, people.surgeon], [people.dentist, people.secretary]],
      ];
      for (const [author, editors, others] of may) {
        await write(author, "Første");
        const { id } = await newest();
        for (const other of others) await expect(edit(other, id)).rejects.toMatchObject({ name: "notInScope" });
        for (const [turn, editor] of editors.entries())
          await edit(editor, id, { seenVersion: turn + 1, text: `Rettet ${turn}` });
        expect(await newest()).toMatchObject({
          text: `Rettet ${editors.length - 1}`,
          editedAt: expect.stringMatching(/^2026-12-01T09:\d\d:00\.000Z$/),
        });
        for (const person of [
          ...editors,
          ...others.filter((other) => other !== people.otherDentist && other !== people.otherSecretary),
        ]) {
          expect((await thread(person)).items.at(-1)!.mayEdit).toBe(editors.includes(person));
        }
      }
    });

    test("an edit that is sent twice is made once, with its file", async () => {
      await write(people.dentist, "Første");
      const { id } = await newest();
      await hold(people.dentist, "to-tryk", "a.csv", csv, "attachment");
      for (let press = 0; press < 2; press += 1) await edit(people.dentist, id, { formKey: "to-tryk" });
      expect(await newest()).toMatchObject({ text: "Rettet", version: 2, attachments: [{ name: "a.csv" }] });
    });

    test("an edit of an older text is a conflict", async () => {
      await write(people.admin, "Første");
      const { id } = await newest();
      await edit(people.surgeon, id);
      await expect(edit(people.admin, id, { text: "Anden" })).rejects.toMatchObject({
        name: "conflict",
        text: expect.stringContaining("Beskeden er rettet"),
      });
      expect((await newest()).text).toBe("Rettet");
    });

    test("removes attachments that are not kept, adds new ones, accepts no text", async () => {
      for (const name of ["a.csv", "b.csv"]) await hold(people.dentist, "to", name, csv, "attachment");
      await write(people.dentist, "To filer", { formKey: "to" });
      const { id, attachments } = await newest();
      await hold(people.dentist, "c", "c.csv", csv, "attachment");
      await edit(people.dentist, id, { formKey: "c", keep: [attachments[1]!.id], text: "" });
      expect(await newest()).toMatchObject({
        text: "Ingen tekst",
        attachments: [{ name: "b.csv" }, { name: "c.csv" }],
      });
      await expect(
        portal.as(people.admin, downloadReferralFile, { referralId, fileId: attachments[0]!.id }),
      ).rejects.toMatchObject({ name: "fileMissing" });
      await expect(edit(people.dentist, id, { seenVersion: 2, text: "" })).rejects.toMatchObject({ name: "invalid" });
      expect((await newest()).attachments).toHaveLength(2);
    });

    test("a message of another referral is not found through the person's own referral", async () => {
      await write(people.dentist, "Første");
      const { id } = await newest();
      const elsewhere = await aReferral(portal, people.dentist);
      await expect(edit(people.dentist, id, { referralId: elsewhere })).rejects.toMatchObject({ name: "notInScope" });
    });
  });
});
