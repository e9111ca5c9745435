import type { listDischargeLetters } from "~/features/discharge-letters/list-discharge-letters.server";
import type { PageOf } from "~/http/runners/page.server";
import { presentLetters } from "~/components/discharge-letters/present-letters";
import { dischargeFilters } from "~/features/discharge-letters/discharge-letter-columns";
import { presentFilter } from "~/lists/present-filter";
import { showDate } from "~/text/dates";
import { showCount } from "~/text/numbers";

type Values = PageOf<typeof listDischargeLetters>;
export type DischargeRow = ReturnType<typeof presentRow>;

const workLabels: Readonly<Record<Values["work"][number]["key"], string>> = {
  onlyQueued: "afventer i kø",
  onlyFailed: "mislykkedes",
  onlyWithoutPdf: "mangler PDF",
};

export const presentDischargeLetters = (list: Values) => ({
  ...list,
  ...presentFilter(dischargeFilters, list),
  work: list.work.map(({ key, count, f }) => ({
    key,
    f,
    count: count > 1000 ? "Over 1.000" : showCount(count),
    label: workLabels[key],
  })),
  openId: list.open?.referralId ?? null,
  open: list.open && presentLetters(list.open),
  rows: list.rows.map(presentRow),
});

function presentRow({ cpr, sentAt, letters, ...row }: Values["rows"][number]) {
  return {
    ...row,
    cpr: cpr ?? "–",
    sentOn: sentAt && showDate(sentAt),
    /** Newest letters with a PDF, and with images. */
    pdfOf: letters.find(({ letterFile }) => letterFile !== null)?.number ?? null,
    imagesOf: letters.find(({ imageFiles }) => imageFiles.length > 0)?.number ?? null,
  };
}
