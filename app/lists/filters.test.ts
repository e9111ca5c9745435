import { expect, test } from "vitest";
import { activeFilters, type FilterDefinitions, presentFilter } from "./filters";

interface Filter {
  name?: string;
  cpr?: string;
  number?: number;
  from?: string;
  statuses?: number[];
  clinic?: number;
  isNew?: true;
}
const definitions: FilterDefinitions<Filter> = {
  name: { label: "Navn", control: "text" },
  cpr: { label: "CPR-nummer", control: "cpr" },
  number: { label: "Nr.", control: "number" },
  from: { label: "Dato fra", control: "date" },
  statuses: { label: "Status", control: "statuses" },
  clinic: { label: "Klinik", control: "clinic" },
  isNew: { label: "Nye beskeder", control: "box" },
};
const clinics = [{ value: 4, label: "Nordhavn" }];
const statuses = [
  { value: 7, label: "Afsluttet" },
  { value: 0, label: "Afventer visitering" },
];
const present = (filter: Filter, standard: number[] = []) =>
  presentFilter(definitions, { filter, active: activeFilters(definitions, filter, { clinics }, standard) }, statuses);
const texts = (filter: Filter, standard?: number[]) => present(filter, standard).active.map(({ text }) => text);

test("a chip says each filter in Danish, in the order of the panel", () => {
  expect(
    texts({ isNew: true, clinic: 4, statuses: [7], from: "2026-12-01", number: 12, cpr: "010180", name: "bo" }),
  ).toEqual([
    "Navn: bo",
    "CPR-nummer: 010180",
    "Nr. 12",
    "Dato fra 01.12.2026",
    "Status: Afsluttet",
    "Klinik: Nordhavn",
    "Nye beskeder",
  ]);
});

test("a place that the list of choices does not hold is shown by its number", () => {
  expect(texts({ clinic: 5 })).toEqual(["Klinik: nr. 5"]);
});

test("several statuses are counted, and the standard ones of the role have no chip", () => {
  expect(texts({ statuses: [7, 0] })).toEqual(["Status: 2 valgt"]);
  expect(texts({ statuses: [7, 0] }, [0, 7])).toEqual([]);
  expect(texts({ statuses: [] }, [0, 7])).toEqual(["Status: 0 valgt"]);
});

test("the fields hold a filter as it is typed; statuses are boxes of their own", () => {
  expect(present({ cpr: "010180-1234", from: "2026-12-01", statuses: [7], isNew: true }).fields).toEqual({
    cpr6: "010180",
    cpr4: "1234",
    from: "01.12.2026",
    isNew: "on",
  });
});
