import { expect, test } from "vitest";
import { presentExisting, presentLookUp, presentWizard } from "./present";

const wizard = {
  provenance: null,
  restored: null,
  underOtherNumbers: [],
  unsaved: [],
  usualWaits: [],
} as unknown as Parameters<typeof presentWizard>[0];
const copy = { copyId: 1, formKey: "form-1234", modifiedAt: "2026-12-01T09:05:00.000Z", name: null, cpr: null };

test("a copy that was not saved says when it was typed, and that it has no name", () => {
  expect(presentWizard({ ...wizard, unsaved: [copy], underOtherNumbers: [{ ...copy, name: "Bo Øst" }] })).toMatchObject(
    {
      unsaved: [{ copyId: 1, name: "uden navn", at: "01.12.2026 kl.\u00a010.05" }],
      underOtherNumbers: [{ name: "Bo Øst" }],
    },
  );
});

test("the copy that is filled in says when it was typed", () => {
  const restored = { copyId: 1, modifiedAt: "2026-07-01T22:30:00.000Z", isOutdated: true };
  expect(presentWizard({ ...wizard, restored }).restored).toEqual({
    copyId: 1,
    at: "02.07.2026 kl.\u00a000.30",
    isOutdated: true,
  });
});

test("who wrote a referral and changed it last; what is unknown shows as dots", () => {
  const provenance = {
    creatorName: "Anna Øst",
    creatorClinic: "",
    creationTime: "2026-12-01T09:00:00.000Z",
    modifierName: null,
    modifierClinic: null,
    modifyTime: "2026-12-02T09:00:00.000Z",
  };
  expect(presentWizard({ ...wizard, provenance }).provenance).toEqual({
    creatorName: "Anna Øst",
    creatorClinic: "...",
    creationTime: "01.12.2026 kl.\u00a010.00",
    modifierName: "...",
    modifierClinic: "...",
    modifyTime: "02.12.2026 kl.\u00a010.00",
  });
});

test("a look-up says how it went, and which drafts and referrals there are", () => {
  expect(presentLookUp({ button: "fetchAddress", outcome: "dead" })).toEqual({
    button: "fetchAddress",
    succeeded: false,
    text: "CPR-registret oplyser, at patienten er død. Kontrollér CPR-nummeret.",
  });
  expect(presentExisting([{ id: 7, date: "2026-12-01" }])).toEqual([{ id: 7, date: "01.12.2026" }]);
});
