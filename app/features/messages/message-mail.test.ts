import { describe, expect, test } from "vitest";
import { sendMessage } from "~/features/delivery/send-message.server";
import { toMoment } from "~/text/dates";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { messagesPortal, type People } from "../../../tests/support/portals/messages-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { findStaffMail } from "./message-mail.server";

forEachDatabase("messages", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let people: People;
  let referralId: number;
  const { write, thread } = messagesPortal(dialect, (begun) => {
    ({ portal, people, referralId } = begun);
  });

  describe("mail to the other side", () => {
    const sent = async () => {
      portal.clock.advance({ minutes: 1 });
      while (
        (await portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "test", channel: "email" })).data
          ?.sent === true
      );
      return portal.email.listStored!(100);
    };

    test("mails the referrer a link about the clinic's message, nothing of the patient", async () => {
      await write(people.admin, "Hemmelig tekst om patienten");
      const mail = (await sent()).find(({ text }) => text.includes(`nr. ${referralId}`))!;
      expect(mail.to).toBe(people.dentist.email);
      expect(mail.text).toContain(`https://www.henvis.eksempel.dk/management/overview/${referralId}#beskeder`);
      expect(`${mail.subject} ${mail.text}`).not.toMatch(/Hemmelig|Søren|Møller|610180/);
    });

    test("mails once for the messages of a minute, to each side about the other's", async () => {
      await portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress: "klinikken@eksempel.dk" });
      const notified = async () =>
        (await sent())
          .filter(({ text }) => text.includes(`nr. ${referralId} `) || text.includes(`nr. ${referralId}.`))
          .map(({ to }) => to);
      await write(people.admin, "Har I et billede?");
      await write(people.dentist, "Ja.");
      await write(people.surgeon, "Og et svar på INR?");
      await write(people.secretary, "Også.");
      const due = await portal.db
        .selectFrom("outbox")
        .select("notBefore")
        .where("referralId", "=", referralId)
        .where("outcome", "=", "queued")
        .execute();
      expect(due).toEqual([1, 2].map(() => ({ notBefore: toMoment(new Date(portal.clock.now().getTime() + 60_000)) })));
      expect((await notified()).sort()).toEqual([people.dentist.email, "klinikken@eksempel.dk"].sort());
      await write(people.admin, "Tak.");
      expect((await notified()).filter((to) => to === people.dentist.email)).toHaveLength(2);
    });

    test("mails the clinic at the address in the settings; without one nothing is mailed", async () => {
      await write(people.dentist, "Hej");
      expect(await portal.db.selectFrom("outbox").select("id").execute()).toEqual([]);
      expect((await thread(people.admin)).clinic).toMatchObject({ notifiesReferrer: true });
      await expect(
        portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress: "ikke en adresse" }),
      ).rejects.toMatchObject({
        name: "invalid",
      });
      for (const messageMailAddress of ["gammel@eksempel.dk", "klinikken@eksempel.dk"])
        await portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress });
      await write(people.dentist, "Hej igen");
      const mail = (await sent()).find(({ to }) => to === "klinikken@eksempel.dk")!;
      expect(mail.text).toContain(`https://klinik.eksempel.dk/management/overview/${referralId}#beskeder`);
      await portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress: "" });
      expect(await findStaffMail(portal.db)).toBeNull();
    });
  });
});
