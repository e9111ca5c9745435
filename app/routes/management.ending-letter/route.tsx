import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { PageHead } from "~/components/page-frame/page-frame";
import type { QueueItem } from "~/ui/lists/queue-line";
import { Outlet, useLoaderData } from "@remix-run/react";
import { LettersPanel } from "~/components/discharge-letters/letters-panel";
import { presentLetters } from "~/components/discharge-letters/present-letters";
import { cprColumn, numberColumn } from "~/components/referral-columns/referral-columns";
import { dischargeColumns, dischargeView } from "~/features/discharge-letters/discharge-letter-list";
import {
  listDischargeLetters,
  filterDischargeLetters,
} from "~/features/discharge-letters/discharge-letter-list.server";
import {
  declineLetters,
  restoreLetter,
  sendLetterImages,
  sendLetterToPatient,
  setEdiAsEmail,
} from "~/features/discharge-letters/operations.server";
import { resendLetter, withdrawLetter } from "~/features/discharge-letters/queue-letter.server";
import { beginLetter, uploadLetter, uploadLetterImages } from "~/features/discharge-letters/upload-letter.server";
import { runCommand, runPage, type PageOf } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import type { Column } from "~/components/list/data-table";
import { presentFilter } from "~/lists/filters";
import { readListQuery, type Here, hereOf } from "~/lists/list";
import { ListPage, OpenName, openColumn } from "~/components/list/list-page";
import { filePaths } from "~/features/referrals/file-paths";
import { paths } from "~/paths";
import { showDate } from "~/text/dates";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Tag } from "~/ui/lists/chip";

type Values = PageOf<typeof listDischargeLetters>;
type DischargeRow = ReturnType<typeof presentRow>;

const workLabels: Readonly<Record<Values["work"][number]["key"], string>> = {
  onlyQueued: "afventer i kø",
  onlyFailed: "mislykkedes",
  onlyWithoutPdf: "mangler PDF",
};

const presentDischargeLetters = (list: Values) => ({
  ...list,
  ...presentFilter(dischargeView.filters, list),
  work: list.work.map(({ key, count, f }) => ({
    key,
    f,
    count: count > 1000 ? "Over 1.000" : count,
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
    pdfOf: letters.find(({ letterFile }) => letterFile !== null)?.number ?? null,
    imagesOf: letters.find(({ imageFiles }) => imageFiles.length > 0)?.number ?? null,
  };
}

function columns(openId: number | null, here: Here): Column<DischargeRow>[] {
  const [date, number, cpr, name] = dischargeColumns;
  return [
    {
      label: date.label,
      sort: date,
      className: "whitespace-nowrap",
      cell: ({ sentOn }) => sentOn ?? <span className="meta">Ingen afsendelsesdato</span>,
    },
    numberColumn(number),
    cprColumn(cpr),
    {
      label: name.label,
      sort: name,
      className: "c-first",
      isRowHeader: true,
      cell: (row) => (
        <>
          <OpenName row={row} openId={openId} here={here} /> {row.isTest && <Tag title="Testhenvisning">TEST</Tag>}
        </>
      ),
    },
    {
      label: "Henviser e-mail",
      isVerbatim: true,
      isPlain: true,
      className: "break-anywhere",
      cell: (row) => row.referrerEmail ?? "",
    },
    {
      label: "Udskrivningsbrev",
      cell: ({ id, pdfOf }) => pdfOf !== null && <FileMark id={id} number={pdfOf} kind="pdf" icon="pdf" />,
    },
    {
      label: "Røntgen",
      cell: ({ id, imagesOf }) =>
        imagesOf !== null && <FileMark id={id} number={imagesOf} kind="images" icon="radiograph" />,
    },
    openColumn(openId, here),
  ];
}

function FileMark({ id, number, kind, icon }: { id: number; number: number; kind: "pdf" | "images"; icon: IconName }) {
  const label = `Hent ${kind === "pdf" ? "udskrivningsbrev" : "røntgen og foto til brev"} ${number}, nr. ${id}`;
  return (
    <a data-file className="mark" href={filePaths.letter(id, number, kind)} title={label}>
      <Icon name={icon} />
      <span className="sr-only">{label}</span>
    </a>
  );
}

const workItems = ({ work }: ReturnType<typeof presentDischargeLetters>): QueueItem[] =>
  work.map(({ key, count, label, f }) => ({
    key,
    count,
    label,
    to: `${paths.dischargeLetters}?f=${encodeURIComponent(f)}`,
    isRed: key === "onlyFailed",
  }));

export const meta = pageTitle("Udskrivningsbrev");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, listDischargeLetters, readListQuery(args.request), {
    subject: ({ open }) =>
      open === null
        ? {}
        : {
            fields: { referralId: open.referralId },
            items: { letterNumber: open.letters.map(({ number }) => [number]) },
          },
  });

export const uploads = [uploadLetter, uploadLetterImages];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterDischargeLetters,
    uploadLetter,
    uploadLetterImages,
    beginLetter,
    restoreLetter,
    resendLetter,
    withdrawLetter,
    setEdiAsEmail,
    declineLetters,
    sendLetterImages,
    sendLetterToPatient,
  });

export default function DischargeLetters() {
  const list = presentDischargeLetters(useLoaderData<typeof loader>());
  const query = hereOf("", { f: list.f, sort: list.sort, page: list.page, fra: list.start, aaben: list.openId });
  const here: Here = (change) => paths.dischargeLetters + query(change);
  return (
    <>
      <PageHead title="Udskrivningsbrev" queue={workItems(list)} />
      <Outlet />
      <ListPage
        view={dischargeView}
        list={list}
        here={here}
        choices={{ referrers: list.referrers }}
        caption="Udskrivningsbreve"
        one="henvisning"
        many="henvisninger"
        columns={columns(list.openId, here)}
        empty={{ why: "Her kommer brevene om patienter, der er behandlet." }}
        openId={list.openId}
        open={
          list.open && (
            <LettersPanel
              key={list.open.referralId}
              letters={list.open}
              here={here({})}
              writeTo={(number) => filePaths.writeLetter(list.open!.referralId, number)}
              deleteTo={(number) => filePaths.deleteLetter(list.open!.referralId, number, query({}))}
            />
          )
        }
      />
    </>
  );
}
