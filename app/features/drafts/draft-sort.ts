/** Sort keys of the drafts (specification 2 §7, GET /Drafts) and their heads (2 §2.3). */
export const draftColumns = [
  { key: 1, label: "Nr." },
  { key: 2, label: "CPR-nummer" },
  { key: 3, label: "Patient navn" },
  { key: 4, label: "Oprettet" },
  { key: 5, label: "Ændret" },
  { key: 6, label: "Ændret af" },
] as const;

export type DraftSortKey = (typeof draftColumns)[number]["key"];

export interface DraftSort {
  key: DraftSortKey;
  ascending: boolean;
}

/** `5`, `-5`: the key, with a minus for descending; anything else is the default, last changed first (specification 2 §9). */
export function parseDraftSort(text: string | null | undefined): DraftSort {
  const key = Number(text?.replace("-", ""));
  const column = draftColumns.find((candidate) => candidate.key === key);
  return text && column ? { key: column.key, ascending: !text.startsWith("-") } : { key: 5, ascending: false };
}

export function draftSortParam({ key, ascending }: DraftSort): string {
  return `${ascending ? "" : "-"}${key}`;
}
