import { expect, test } from "vitest";
import { presentDraft } from "./present";

test("a draft's moments are Danish, and what is unknown has a sign", () => {
  const draft = {
    id: 1,
    name: "Bo Ærø",
    createdAt: "2026-12-01T09:00:00.000Z",
    modifiedAt: "2026-07-01T22:30:00.000Z",
    step: 2,
  };
  expect(
    presentDraft({ ...draft, cpr: "610182-3333", modifierName: "Anna Øst", awaitedFiles: 2, unfinishedFiles: 2 }),
  ).toEqual({
    id: 1,
    name: "Bo Ærø",
    cpr: "610182-3333",
    createdAt: "01.12.2026",
    modifiedAt: "02.07.2026 00.30",
    modifierName: "Anna Øst",
    progress: "Trin 2 af 3 · mangler henviser",
    files: "Sendes, når 2 filer er fremme",
  });
  expect(
    presentDraft({ ...draft, cpr: null, modifierName: null, awaitedFiles: null, unfinishedFiles: 0 }),
  ).toMatchObject({
    cpr: "–",
    modifierName: "...",
    files: null,
  });
  expect(presentDraft({ ...draft, cpr: null, modifierName: null, awaitedFiles: null, unfinishedFiles: 2 }).files).toBe(
    "2 filer er ikke fremme. Er de gået i stå, så vælg filerne igen.",
  );
});
