import { describe, expect, test } from "vitest";
import { causeOf } from "./failure-texts";

describe("why a message failed", () => {
  test.each([
    ["eboks", "failed", 4, null, "Modtager ikke aktiv i eboks"],
    ["print", "failed", 10, null, "Fejl hemmelig adresse"],
    ["print", "failed", 6, "dead", "Patienten er død"],
    ["sms", "failed", 2, "unreachable", "Nummeret kan ikke nås"],
    ["sms", "failed", 2, "loginRefused", "Login blev afvist"],
    ["sms", "failed", 2, "wrongMobilePhone", "Nummeret mangler eller er forkert"],
    ["email", "failed", 9, "noMailbox", "Postkassen findes ikke"],
    ["email", "failed", 9, "mailboxFull", "Postkassen er fuld"],
    ["email", "failed", 9, "mailTooBig", "Mailen er for stor"],
    ["email", "failed", 9, "mailRefused", "Mailen blev afvist"],
    ["email", "failed", 9, "receiverDelays", "Modtagerens mailserver tog ikke imod mailen"],
    ["email", "failed", 9, "noConnection", "Forbindelsen svarede ikke"],
    ["eboks", "failed", 8, "notConfigured", "Ikke indstillet"],
    ["eboks", "unknown", 9, null, "Ukendt: kontrollér hos modtageren"],
    ["archive", "failed", 9, "otherPatient", "Filen nævner en anden patient"],
    ["archive", "failed", 9, "samePicture", "Samme billede hos en anden patient"],
    ["archive", "failed", 9, "noConnection", "Forbindelsen svarede ikke"],
    ["archive", "queued", 0, "registerSilent", "Venter på CPR-registret"],
    ["sms", "awaiting", 0, null, "Intet svar i to døgn"],
    ["sms", "queued", 0, null, "Ligger stadig i kø"],
  ] as const)("%s, %s, %i, %s: %s", (channel, outcome, code, reason, title) => {
    const detail = "What the provider said";
    expect(causeOf({ channel, outcome, code, reason, detail })).toMatchObject({ title, answer: null });
  });

  test("an unknown cause shows the provider's own answer", () => {
    expect(causeOf({ channel: "email", outcome: "failed", code: 9, reason: null, detail: "X-42" })).toMatchObject({
      title: "Fejl",
      answer: "X-42",
    });
  });
});
