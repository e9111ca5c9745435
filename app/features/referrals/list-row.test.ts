import { expect, test } from "vitest";
import { type ListRow, packRow, unpackRow } from "./list-row";

const bare: ListRow = {
  id: 12,
  version: 3,
  cpr: "010180-1234",
  name: "Åse Ærø",
  age: null,
  date: "01.12.2026",
  status: 16,
  ediId: null,
  missesDentistId: false,
  isUrgent: false,
  hasRadiographs: false,
  hasExportFailed: false,
  hasNewMessage: false,
  isExported: false,
  isTest: false,
};

test.each([
  bare,
  { ...bare, ediId: "900123", age: 44 },
  { ...bare, missesDentistId: true, hasNewMessage: true },
  { ...bare, isUrgent: true, hasRadiographs: true, hasExportFailed: true, isExported: true, isTest: true },
])("a row comes back as it was packed", (row) => {
  expect(unpackRow(JSON.parse(JSON.stringify(packRow(row))))).toEqual(row);
});
