/// <reference types="vite/client" />
import { expect, test } from "vitest";
import { declaredOperations } from "../../../tests/support/declared-operations";
import { pageNames } from "./page-views.server";

test("every page that is counted is read by an operation that its route names", () => {
  const routes = import.meta.glob<string>("../../routes/*/route.tsx", {
    eager: true,
    query: "?raw",
    import: "default",
  });
  const declared = new Set(declaredOperations.map(({ name }) => name));
  const sources = Object.values(routes).filter((source) => source.includes("runPage("));
  for (const operation of Object.keys(pageNames)) {
    expect(
      sources.some((source) => new RegExp(`\\b${operation},`).test(source)),
      operation,
    ).toBe(true);
    expect(declared, operation).toContain(operation);
  }
});

test("the pages of statistics, SMS and parking are counted under their fixed names", () => {
  expect(pageNames).toMatchObject({
    readStatistics: "management/statistics",
    readSmsPage: "/management/sms",
    listParking: "/management/parking",
  });
});
