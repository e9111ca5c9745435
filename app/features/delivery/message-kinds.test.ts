import { expect, test } from "vitest";
import { channelNames } from "./delivery-outcome";
import { messageKinds } from "./message-kinds";

test("the numbers of the logs' types are as given, and each stands once in its log", () => {
  const numbers = Object.fromEntries(Object.entries(messageKinds).map(([kind, { channels }]) => [kind, channels]));
  expect(numbers).toEqual({
    passwordReset: { email: 1 },
    accountChanged: { email: 2 },
    accountMerged: { email: 14 },
    newUser: { email: 11 },
    statusNews: { email: 3 },
    materialRequest: { email: 15 },
    materialReminder: { email: 17 },
    messageNews: { email: 4 },
    messageNewsToClinic: { email: 5 },
    dischargeLetter: { email: 6, edi: 2 },
    callUp: { email: 8, sms: 8, eboks: 0, print: 0 },
    appointmentLetter: { email: 9, eboks: 1, print: 1 },
    appointmentReminder: { sms: 1 },
    reminderReply: { sms: 2 },
    cancellationUndone: { sms: 14, email: 16 },
    timeOffer: { sms: 3 },
    cancellationNews: { email: 10 },
    radiographLink: { sms: 9, eboks: 2 },
    letterFilesLink: { sms: 10, eboks: 5 },
    caseLink: { sms: 15 },
    invoice: { eboks: 3 },
    estimate: { eboks: 4 },
    smsReply: { sms: 11 },
    smsReplyCallUs: { sms: 12 },
    parkingReceipt: { sms: 13 },
    parkingLimit: { email: 13 },
    urgentAlarm: { email: 18 },
    ediReceipt: { edi: 1 },
    radiographExport: { archive: 1 },
    testMessage: { email: 7, sms: 7 },
  });
  for (const channel of channelNames) {
    const used = Object.values(messageKinds).flatMap(({ channels }) => channels[channel] ?? []);
    expect(new Set(used).size).toBe(used.length);
  }
});
