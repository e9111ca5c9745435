import type { ListRow } from "~/features/referrals/list-row";
import { paths } from "~/paths";
import { iconMarkup } from "~/ui/icon-markup";
import type { IconName } from "~/ui/icon-names";
import { Markup, markup } from "~/ui/markup";
import { toneClass } from "~/ui/tone";
import { type OverviewList, statusesOf } from "./overview-list";

/** How the last GEM of a row went, by the server's answer. */
export interface RowOutcome {
  rowId: number;
  went: "saved" | "refused";
  /** What was chosen, where it was not saved. */
  chosen: number | null;
}

export interface RowsShown {
  list: OverviewList;
  /** The list's address, with its query. */
  here: string;
  search: string;
  openId: number | null;
  outcome: RowOutcome | null;
}

const mark = (word: string, icon: IconName, tone = "") => markup`<span class="mark ${tone}" title="${word}">${iconMarkup(icon)}<span class="w">${word}</span></span>`;
const cell = (content: Markup | null) => markup`<td class="c-mark">${content}</td>`;

/**
 * The cells of one referral as markup: plain links and forms, which the table enhances all at once (docs/decisions/0015). Without script
 * the row's form saves the status as well.
 */
export function rowMarkup(row: ListRow, shown: RowsShown): string {
  const { list, search, openId } = shown;
  const isOpen = row.id === openId;
  const cells = markup`${list.isStaff && pickCell(row)}<td class="c-no">${row.id} ${row.ediId !== null && ediMark(row.id, row.ediId)}</td
><td class="c-cpr">${row.cpr}</td><td class="c-name">${row.name}${row.isTest && markup` <span class="tag" title="Testhenvisning">TEST</span>`}${row.missesDentistId && missingDentist}</td
><td class="c-age">${row.age ?? "–"}</td><td class="c-date">${row.date}</td>${list.isStaff ? statusCells(row, shown) : statusChip(row, list)}${
    list.isStaff && cell(row.isExported ? mark("Eksporteret", "exported", "tone-ready") : null)
  }${cell(row.hasNewMessage ? mark("Besked", "message-new") : null)}${cell(row.isUrgent ? mark("Haster", "urgent", "tone-urgent") : null)}${
    list.isStaff && cell(row.hasRadiographs ? radiographMark(row, search) : null)
  }<td class="c-mark"><a class="mark" href="${paths.referralPdf(row.id)}" target="_blank" rel="noreferrer">${iconMarkup("pdf")}<span class="w">PDF</span></a></td
><td class="c-open"><a class="mark" href="${isOpen ? paths.overview : paths.referral(row.id)}${search}#r${row.id}" aria-expanded="${String(isOpen)}" aria-label="${isOpen ? "Luk" : "Åbn"} nr. ${row.id}">${iconMarkup(isOpen ? "up" : "down")}</a></td>`;
  return cells.html;
}

/** Leads to the images; where their export has failed it plans a new attempt and downloads them (specification 1 §4). */
function radiographMark({ id, hasExportFailed }: ListRow, search: string): Markup {
  const icon = markup`${iconMarkup("radiograph")}<span class="w">Røntgen</span>`;
  if (!hasExportFailed) return markup`<a class="mark" href="${paths.referral(id)}${search}#billeder">${icon}</a>`;
  return markup`<form method="post" action="${paths.referral(id)}${search}"><input type="hidden" name="referralId" value="${id}"><button class="mark tone-err" name="intent" value="retryRadiographExport" title="Fejl i export - tjek format. Eksportér igen og hent alle, nr. ${id}">${icon}</button></form>`;
}

const missingDentist = markup`<span class="c-note">${iconMarkup("missing-dentist", "i18")}<span class="w">Uden tandlæge-id</span></span>`;

const pickCell = ({ id, version }: ListRow) =>
  markup`<td class="c-pick"><label class="hit"><input type="checkbox" class="box" form="mass" name="pick" value="${id}:${version}" aria-label="Vælg nr. ${id}"></label></td>`;

/** The tooltip works by pointer, keyboard and touch. */
const ediMark = (id: number, ediId: string) =>
  markup`<span class="tip"><button type="button" class="tag" aria-describedby="e${id}">EDI</button><span role="tooltip" id="e${id}" class="tip-text">EDI id ${ediId}</span></span>`;

function statusChip(row: ListRow, list: OverviewList): Markup {
  const option = statusesOf(list).find((candidate) => candidate.value === row.status);
  return markup`<td class="c-status"><span class="chip ${toneClass[option?.tone ?? "closed"]}" title="${option?.label}">${iconMarkup(option?.icon ?? "closed", "i18")}<span class="cut">${option?.label}</span></span></td>`;
}

export const buttonClass = { saved: "btn-plain btn-marked btn-success", refused: "btn-primary btn-marked btn-failure" };
export const buttonMark = { saved: markup`${iconMarkup("check", "i18")}<span>GEM</span><span class="vh"> – lykkedes</span>`, refused: markup`${iconMarkup("alert", "i18")}<span>GEM</span><span class="vh"> – mislykkedes</span>` };

/** Characters that a status select has room for on a desk. */
const LONG = 22;

/** The status select, with the saved status as its icon, and GEM. A choice that was refused stays chosen. */
function statusCells(row: ListRow, { list, here, openId, outcome: last }: RowsShown): Markup {
  const saved = statusesOf(list).find((option) => option.value === row.status);
  const outcome = last?.rowId === row.id ? last : null;
  return markup`<td class="c-status"><form method="post" action="${here}" class="set-status"><input type="hidden" name="referralId" value="${row.id}"><input type="hidden" name="seenVersion" value="${row.version}">${
    openId !== null && markup`<input type="hidden" name="to" value="${here.replace(paths.overview, paths.referral(openId))}">`
  }<span class="isel ${toneClass[saved?.tone ?? "closed"]}">${iconMarkup(saved?.icon ?? "closed")}<select class="input" name="status" aria-label="Status for nr. ${row.id}"${saved && saved.label.length > LONG && markup` title="${saved.label}"`}>${optionsFor(list, outcome?.chosen ?? row.status)}</select></span><button name="intent" value="setStatus" class="btn btn-s ${outcome ? buttonClass[outcome.went] : "btn-plain"}">${outcome ? buttonMark[outcome.went] : markup`<span>GEM</span>`}</button></form></td>`;
}

let optionsOf: { statuses: ReturnType<typeof statusesOf>; bySelected: Map<number, Markup> } | undefined;

/** 17 options in 20 rows: made once for each status that a list shows as chosen. An option ends where the next begins. */
function optionsFor(list: OverviewList, selected: number): Markup {
  const statuses = statusesOf(list);
  if (optionsOf?.statuses !== statuses) optionsOf = { statuses, bySelected: new Map() };
  const known = optionsOf.bySelected.get(selected);
  if (known) return known;
  const made = markup`${statuses.map(({ value, label }) => markup`<option value="${value}"${value === selected && new Markup(" selected")}>${label}`)}`;
  optionsOf.bySelected.set(selected, made);
  return made;
}
