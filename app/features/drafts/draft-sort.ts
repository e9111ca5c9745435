import type { ListSort } from "~/features/referrals/list-sort";

/** Sort keys of the drafts (specification 2 §7, GET /Drafts) and their heads (2 §2.3). */
export const draftColumns = [
  { key: 1, label: "Nr." },
  { key: 2, label: "CPR-nummer" },
  { key: 3, label: "Patient navn" },
  { key: 4, label: "Oprettet" },
  { key: 5, label: "Ændret" },
  { key: 6, label: "Ændret af" },
] as const;

export type DraftSort = ListSort<(typeof draftColumns)[number]["key"]>;

/** Last changed first (specification 2 §9). */
export const defaultDraftSort: DraftSort = { key: 5, ascending: false };
