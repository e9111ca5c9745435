/// <reference types="vite/client" />
import { expect, test } from "vitest";
import { pageNames } from "./page-views.server";

test("every page that is counted is read by an operation that its route names", () => {
  const routes = import.meta.glob<string>("../../routes/*/route.tsx", {
    eager: true,
    query: "?raw",
    import: "default",
  });
  const files = import.meta.glob<string>("../**/*.server.ts", { eager: true, query: "?raw", import: "default" });
  const sources = Object.values(routes).filter((source) => source.includes("runPage("));
  for (const operation of Object.keys(pageNames)) {
    expect(
      sources.some((source) => new RegExp(`\\b${operation},`).test(source)),
      operation,
    ).toBe(true);
    expect(
      Object.values(files).some((source) => source.includes(`name: "${operation}"`)),
      operation,
    ).toBe(true);
  }
});

test("the pages of statistics, SMS and parking are counted under their fixed names", () => {
  expect(pageNames).toMatchObject({
    readStatistics: "management/statistics",
    readSmsPage: "/management/sms",
    listParking: "/management/parking",
  });
});
