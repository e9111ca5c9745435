import type { listDrafts } from "~/features/drafts/operations.server";
import type { PageOf } from "~/http/runners/page.server";
import { draftFilters } from "~/features/drafts/draft-columns";
import { awaitingText, unfinishedText } from "~/features/referrals/model/missing-texts";
import { presentFilter } from "~/lists/present-filter";
import { showDateTime } from "~/text/dates";

type Values = PageOf<typeof listDrafts>;
export type Draft = ReturnType<typeof presentDraft>;

export const presentDrafts = (list: Values) => ({
  ...list,
  ...presentFilter(draftFilters, list),
  rows: list.rows.map(presentDraft),
});

export const presentDraft = ({
  cpr,
  createdAt,
  modifiedAt,
  modifierName,
  awaitedFiles,
  unfinishedFiles,
  ...draft
}: Values["rows"][number]) => ({
  ...draft,
  cpr: cpr ?? "–",
  createdAt: showDateTime(createdAt),
  modifiedAt: showDateTime(modifiedAt),
  modifierName: modifierName ?? "...",
  files:
    awaitedFiles !== null ? awaitingText(awaitedFiles) : unfinishedFiles > 0 ? unfinishedText(unfinishedFiles) : null,
});
