import type { PageOf } from "~/http/runners/page.server";
import { draftView } from "~/features/drafts/draft-list";
import { awaitingText, unfinishedText } from "~/features/referrals/model/missing-texts";
import { presentFilter } from "~/lists/filters";
import { showDate, showShortDateTime } from "~/text/dates";
import type { listDrafts } from "~/features/drafts/draft-list.server";

type Values = PageOf<typeof listDrafts>;
export type Draft = ReturnType<typeof presentDraft>;

export const presentDrafts = (list: Values) => ({
  ...list,
  ...presentFilter(draftView.filters, list),
  rows: list.rows.map(presentDraft),
});

export const presentDraft = ({
  cpr,
  createdAt,
  modifiedAt,
  modifierName,
  awaitedFiles,
  unfinishedFiles,
  step,
  ...draft
}: Values["rows"][number]) => ({
  ...draft,
  cpr: cpr ?? "–",
  createdAt: showDate(createdAt),
  modifiedAt: showShortDateTime(modifiedAt),
  modifierName: modifierName ?? "...",
  progress: progressOf(step),
  files:
    awaitedFiles !== null ? awaitingText(awaitedFiles) : unfinishedFiles > 0 ? unfinishedText(unfinishedFiles) : null,
});

const missingAt = ["", "mangler oplysninger", "mangler henviser", "mangler at blive sendt"];

const progressOf = (step: number) => `Trin ${step} af 3 · ${missingAt[step] ?? ""}`;
