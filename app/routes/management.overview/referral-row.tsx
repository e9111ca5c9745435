import { useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { paths } from "~/paths";
import { Button, type ButtonState } from "~/ui/button";
import { StatusChip, Tag } from "~/ui/chip";
import { Icon } from "~/ui/icon";
import type { IconName } from "~/ui/icon-names";
import { IconSelect, optionsMarkup } from "~/ui/select-field";
import type { OverviewList, OverviewRow } from "./overview-list";

interface ReferralRowProps {
  row: OverviewRow;
  list: OverviewList;
  isOpen: boolean;
  search: string;
  wasRefused: boolean;
  children: ReactNode;
}

/** One referral in the list, in plain links and forms (the table enhances them all at once). Without script its form saves the status as well; with script GEM fills when the status is changed. */
export function ReferralRow({ row, list, isOpen, search, wasRefused, children }: ReferralRowProps) {
  const href = isOpen ? `${paths.overview}${search}#r${row.id}` : `${paths.referral(row.id)}${search}#r${row.id}`;
  return (
    <>
      <tr id={`r${row.id}`} className={isOpen ? "row-on" : row.missesDentistId ? "row-warn" : undefined}>
        <td className="c-no">
          {row.id} {row.ediId && <Tag title={`EDI id ${row.ediId}`}>EDI</Tag>}
        </td>
        <td className="c-cpr">{row.cpr}</td>
        <td className="c-name">
          {row.name}
          {row.isTest && <Tag title="Testhenvisning">TEST</Tag>}
          {row.missesDentistId && (
            <span className="c-note">
              <Icon name="missing-dentist" size={18} />
              <span className="w">Uden tandlæge-id</span>
            </span>
          )}
        </td>
        <td className="c-age">{row.age ?? "–"}</td>
        <td className="c-date">{row.date}</td>
        {list.isStaff ? <StatusCells row={row} list={list} search={search} wasRefused={wasRefused} /> : <ReadStatus row={row} list={list} />}
        {list.isStaff && <Mark icon={row.isExported ? "exported" : null} word="Eksporteret" tone="tone-ready" />}
        <Mark icon={row.hasNewMessage ? "message-new" : null} word="Besked" />
        <Mark icon={row.isUrgent ? "urgent" : null} word="Haster" tone="tone-urgent" />
        {list.isStaff && (
          <td className="c-mark">
            {row.hasRadiographs && (
              <a className="mark" href={`${paths.referral(row.id)}${search}#billeder`}>
                <Icon name="radiograph" />
                <span className="w">Røntgen</span>
              </a>
            )}
          </td>
        )}
        <td className="c-mark">
          <a className="mark" href={paths.referralPdf(row.id)} target="_blank" rel="noreferrer" title={`PDF, nr. ${row.id}`}>
            <Icon name="pdf" />
            <span className="w">PDF</span>
          </a>
        </td>
        <td className="c-open">
          <a className="mark" href={href} aria-expanded={isOpen} aria-label={`${isOpen ? "Luk" : "Åbn"} nr. ${row.id}`}>
            <Icon name={isOpen ? "up" : "down"} />
          </a>
        </td>
      </tr>
      {children}
    </>
  );
}

function Mark({ icon, word, tone = "" }: { icon: IconName | null; word: string; tone?: string }) {
  return (
    <td className="c-mark">
      {icon && (
        <span className={`mark ${tone}`} title={word}>
          <Icon name={icon} />
          <span className="w">{word}</span>
        </span>
      )}
    </td>
  );
}

function ReadStatus({ row, list }: { row: OverviewRow; list: OverviewList }) {
  const option = list.statusOptions.find((candidate) => candidate.value === row.status);
  return (
    <td className="c-status">
      <StatusChip cut status={{ label: row.statusLabel, tone: option?.tone ?? "closed", icon: option?.icon ?? "closed" }} />
    </td>
  );
}

/** The status select and its GEM. The button says how it went: working, saved, refused, and ready again at the next edit. */
function StatusCells({ row, list, search, wasRefused }: { row: OverviewRow; list: OverviewList; search: string; wasRefused: boolean }) {
  const formId = `status-${row.id}`;
  const navigation = useNavigation();
  const isSaving = navigation.formData?.get("formId") === formId;
  const [chosen, setChosen] = useState(row.status);
  const [state, setState] = useState<ButtonState>("ready");
  const sentVersion = useRef<number | null>(null);
  useEffect(() => {
    if (isSaving) sentVersion.current = row.version;
    else if (sentVersion.current !== null) {
      setState(row.version > sentVersion.current ? "success" : "failure");
      sentVersion.current = null;
    }
  }, [isSaving, row.version]);
  const saved = list.statusOptions.find((option) => option.value === row.status);
  const shown: ButtonState = isSaving ? "working" : state === "ready" && wasRefused ? "failure" : state;
  return (
    <>
      <td className="c-status">
        <form method="post" action={`${paths.overview}${search}`} id={formId}>
          <input type="hidden" name="formId" value={formId} />
          <input type="hidden" name="referralId" value={row.id} />
          <input type="hidden" name="seenVersion" value={row.version} />
          <IconSelect
            tone={saved?.tone ?? "closed"}
            icon={saved?.icon ?? "closed"}
            label={`Status for nr. ${row.id}`}
            name="status"
            key={row.version}
            dangerouslySetInnerHTML={optionsMarkup(list.statusOptions, row.status)}
            onChange={(event) => {
              setChosen(Number(event.currentTarget.value));
              setState("ready");
            }}
          />
        </form>
      </td>
      <td className="c-save">
        <Button form={formId} name="intent" value="setStatus" size="small" state={shown} variant={chosen !== row.status ? "primary" : "plain"} aria-label={`GEM status for nr. ${row.id}`}>
          GEM
        </Button>
      </td>
    </>
  );
}
