import { expect, test } from "vitest";
import { routes } from "../support/routes";
import { accessPortal } from "./access-portal";
import type { Who } from "./api/api-portal";

const { portal, referrals, ask } = accessPortal();

/** Text for staff only, by where it is stored, in a referral that a secretary and its dentist see. */
const internal = {
  "the log": (id: number) => ["update visit_log set event = ? where referral_id = ?", id],
  "the referrer's e-mail": (id: number) => [
    "update user set email = ? where id = (select referrer_id from referral where id = ?)",
    id,
  ],
  "a letter's receiver": (id: number) => [
    "insert into discharge_letter (recipient_email, referral_id, letter_number, status, attempts, is_edi, send_edi_as_email, created_at) values (?, ?, 2, 1, 1, 0, 0, '2026-11-01T09:00:00.000Z')",
    id,
  ],
  "a letter's error": (id: number) => [
    "update discharge_letter set error_message = ?, status = 2 where referral_id = ?",
    id,
  ],
  "where the clinic hears of messages": () => [
    "insert into setting (name, value, modified_at) values ('messageMailAddress', ?, '2026-11-01T09:00:00.000Z')",
  ],
} satisfies Record<string, (id: number) => [string, ...number[]]>;

test("leaves staff's data out of everybody else's pages and API answers", async () => {
  const marks = Object.keys(internal).map((where, index) => ({ where, text: `kanariefugl-${index}@eksempel.dk` }));
  // The archive's outcome would overwrite the marked text.
  const unsettled = () =>
    portal.inDatabase((database) =>
      database
        .prepare("select id from outbox where channel = 'archive' and referral_id = ? and settled_at is null")
        .all(referrals.own.id),
    );
  await expect.poll(unsettled).toEqual([]);
  portal.inDatabase((database) => {
    for (const { where, text } of marks) {
      const [statement, ...values] = internal[where as keyof typeof internal](referrals.own.id) as [
        string,
        ...number[],
      ];
      database.prepare(statement).run(text, ...values);
    }
    database
      .prepare(
        "update referral set is_test = 1, exported_to_csv = 1, radiograph_export_status = 2, send_radiograph_to_patient = 1, force_radiograph_export = 1, external_doctor_id = null where id = ?",
      )
      .run(referrals.own.id);
  });

  const { id, file } = referrals.own;
  const pages = Object.entries(routes)
    .filter(([route, { kind }]) => route.startsWith("management") && kind !== "sealed")
    .map(
      ([route, { address }]) =>
        `${address.replace("{id}", String(id)).replace("{own}", String(id)).replace("{file}", String(file))}${address.includes("?") ? "&" : "?"}_data=routes%2F${encodeURIComponent(route)}`,
    );
  const calls = [
    "Account",
    "Visits",
    `Visits/${id}`,
    `Visits/${id}/messages`,
    `Visits/${id}/visitlog`,
    `Visits/${id}/appointmentinfo`,
    `Visits/${id}/patientinfo`,
    `Visits/${id}/doctorinfo`,
    `Incall/logs/${id}`,
    `Invoices/${id}`,
    "Doctors",
    "Drafts",
  ];
  const readBy = async (who: Who) =>
    (
      await Promise.all(
        [...pages, ...calls.map((call) => `/api/${call}`)].map(async (address) => ({
          address,
          text: (await ask(who, address)).text,
        })),
      )
    ).flatMap(({ address, text }) =>
      marks.filter((mark) => text.includes(mark.text)).map(({ where }) => `${where} at ${address.split("?")[0]}`),
    );

  const staffs = await readBy("admin");
  for (const { where } of marks)
    expect(
      staffs.some((found) => found.startsWith(where)),
      `${where} is shown to staff`,
    ).toBe(true);
  // Everybody with a letter sees its recipient and, in the list, the referrer's address.
  const ofLetters = [
    `a letter's receiver at /management/overview/${id}`,
    "the referrer's e-mail at /management/ending-letter",
    "a letter's receiver at /management/ending-letter",
  ];
  expect((await readBy("sekretaer")).toSorted()).toEqual(ofLetters.toSorted());
  // One's own address is shown in the profile, the account, and step 1 of one's own referral.
  expect((await readBy("tandlaege")).toSorted()).toEqual(
    [
      ...ofLetters,
      "the referrer's e-mail at /api/Account",
      "the referrer's e-mail at /management/change-password",
      "the referrer's e-mail at /management/henvisning-tandlaeger",
    ].toSorted(),
  );

  const visit = async (who: Who) => JSON.parse((await ask(who, `/api/Visits/${id}`)).text) as Record<string, unknown>;
  const flags = [
    "isTestVisit",
    "sendRadiographToPatient",
    "forceRadiographExport",
    "exportedToCsv",
    "radiographExportStatus",
    "surgeonHaveUnreadMessages",
    "modifyDate",
    "doctorEmail",
  ];
  for (const who of ["sekretaer", "tandlaege"] as const) {
    const seen = await visit(who);
    expect(
      flags.map((flag) => seen[flag] || null),
      who,
    ).toEqual(flags.map(() => null));
    const { rows } = JSON.parse((await ask(who, "/management/overview?_data=routes%2Fmanagement.overview")).text) as {
      rows: Record<string, unknown>[];
    };
    const row = rows.find((each) => each["id"] === id);
    expect(row).not.toHaveProperty("externalDoctorId");
    for (const mark of ["exportStatus", "isExported", "isTest"]) expect(row).not.toHaveProperty(mark);
  }
  expect(await visit("admin")).toMatchObject({
    isTestVisit: true,
    sendRadiographToPatient: true,
    forceRadiographExport: true,
    exportedToCsv: true,
    radiographExportStatus: 2,
  });
});
