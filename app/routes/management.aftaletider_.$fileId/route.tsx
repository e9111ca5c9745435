import { PageHead } from "~/components/page-frame/page-frame";
import { readAppointmentFile, startImport } from "~/features/appointments/operations.server";
import { type PageOf, runPage, runCommand } from "~/http/runners/page.server";
import {
  changesPlan,
  MEANS_CANCELLED,
  NO,
  YES,
  countOutcomes,
  EXTRA,
  importStatuses,
  NO_SURGEON,
  NOT_FOUND,
  plannedLabel,
  questionName,
  showPlanned,
} from "~/features/appointments/import-rules";
import { showDateTime, showDay } from "~/text/dates";
import { showCount } from "~/text/numbers";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { ActionForm, useBusy, useServerForm } from "~/http/forms/action-form";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Progress } from "~/ui/feedback/progress";
import { Button, ButtonLink } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";

type Values = PageOf<typeof readAppointmentFile>;
type ShownRow = ReturnType<typeof presentRow>;
type ShownQuestion = ReturnType<typeof presentQuestion>;
type ShownSurgeonQuestion = ReturnType<typeof presentSurgeonQuestion>;

export const presentFile = ({
  importedAt,
  counts,
  rows,
  questions,
  surgeonQuestions,
  doubtQuestions,
  ...file
}: Values) => ({
  ...file,
  lines: linesText(file.rowCount),
  left: linesText(file.rowCount - file.rowsDone),
  toImport: toImport(file, counts),
  changesTimes: timesIn(counts) > 0,
  imported: timesText(counts),
  questions: questions.map(presentQuestion),
  surgeonQuestions: surgeonQuestions.map(presentSurgeonQuestion),
  doubtQuestions: doubtQuestions.map(presentDoubt),
  importedAt: importedAt && showDateTime(importedAt),
  counts: importStatuses.flatMap((state) => {
    const found = counts.find(({ status }) => status === state.value);
    return found ? [{ ...state, label: countOutcomes(state.value, found.count, file.isWaiting) }] : [];
  }),
  rows: rows.map(presentRow),
});

const presentRow = ({ cpr, date, time, status, ...row }: Values["rows"][number]) => ({
  ...row,
  cpr: cpr ?? "–",
  at: timeText(date, time).replace(" kl.", ""),
  state: importStatuses.find(({ value }) => value === status) ?? importStatuses[NOT_FOUND],
});

const presentQuestion = ({ rowId, line, cpr, name, date, time, code, asks }: Values["questions"][number]) => ({
  name: questionName(rowId),
  label: `Linje ${line}: ${[cpr, name].filter(Boolean).join(" ")}, ${timeText(date, time)}, ${code}`,
  choices: [
    ...asks.map((each) => ({ value: String(each.id), label: `Flyttet fra ${showPlanned(each)}` })),
    { value: EXTRA, label: `Ekstra tid: ${asks.map(showPlanned).join(" og ")} bliver stående` },
  ],
});

const presentSurgeonQuestion = ({ name, lines, surgeons }: Values["surgeonQuestions"][number]) => ({
  name,
  label: `${surgeons[0]?.label ?? "Kirurg"}, ${linesText(lines)}`,
  choices: [...surgeons, { value: NO_SURGEON, label: "Ingen af dem: uden kirurg" }],
});

const IMPORT = { value: YES, label: "Importér" };
const LEAVE = { value: NO, label: "Importér ikke" };

function presentDoubt({ name, doubt, lines, line, word, days, inFile, onReferral }: Values["doubtQuestions"][number]) {
  if (doubt === "status")
    return {
      name,
      label: `Status »${word}«, ${linesText(lines)}: hvad betyder det?`,
      choices: [
        { value: MEANS_CANCELLED, label: lines === 1 ? "Tiden er aflyst" : "Tiderne er aflyst" },
        { value: YES, label: lines === 1 ? "Tiden gælder" : "Tiderne gælder" },
        LEAVE,
      ],
    };
  if (doubt === "surgeon")
    return {
      name,
      label: `Behandler »${word}«, ${linesText(lines)}: er ingen kirurg i portalen`,
      choices: [{ ...IMPORT, label: "Importér uden kirurg" }, LEAVE],
    };
  if (doubt === "day") {
    const span = [...new Set(days)].flatMap((day) => (day === null ? [] : showDay(day))).join(" til ");
    return { name, label: `${linesText(lines)} om en dag langt fra i dag: ${span}`, choices: [IMPORT, LEAVE] };
  }
  return {
    name,
    label: `Linje ${line}: filen skriver ${inFile}, henvisningen ${onReferral}. Er det den samme person?`,
    choices: [
      { ...IMPORT, label: "Ja, importér" },
      { ...LEAVE, label: "Nej, importér ikke" },
    ],
  };
}

const timesIn = (counts: Values["counts"]) =>
  counts.filter(({ status }) => changesPlan(status)).reduce((sum, { count }) => sum + count, 0);

function toImport({ rowCount, rowsDone }: Pick<Values, "rowCount" | "rowsDone">, counts: Values["counts"]): string {
  if (rowsDone > 0) return linesText(rowCount - rowsDone);
  return timesIn(counts) > 0 ? timesText(counts) : "filen";
}

function timesText(counts: Values["counts"]): string {
  const times = timesIn(counts);
  return times === 1 ? "1 tid" : `${showCount(times)} tider`;
}

function trialText({ canStart, changesTimes }: { canStart: boolean; changesTimes: boolean }): string {
  if (!canStart) return "Prøvekørslen er en andens. Upload filen selv, hvis du vil importere den.";
  return changesTimes
    ? "Linjerne importeres, som de vises her. Prøvekørslen slettes efter et døgn."
    : "Filen ændrer ingen tider. Prøvekørslen slettes efter et døgn.";
}

const timeText = (date: string | null, time: string | null) => (date === null ? "–" : showPlanned({ date, time }));

const linesText = (count: number) => (count === 1 ? "1 linje" : `${showCount(count)} linjer`);

const POLL_MS = 3000;

/** Follows a running import; true while the server does not answer. */
function useImportPoll({ id, isImporting }: { id: number; isImporting: boolean }): boolean {
  const [isLost, setLost] = useState(false);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isImporting) return;
    const poll = () =>
      fetch(paths.importProgress(id), { headers: { Accept: "application/json" } })
        .then(({ ok }) => {
          setLost(!ok);
          if (ok) revalidate();
        })
        .catch(() => setLost(true));
    const timer = setInterval(poll, POLL_MS);
    return () => clearInterval(timer);
  }, [id, isImporting, revalidate]);
  return isLost && isImporting;
}

export const meta = pageTitle("Import af patienttider");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readAppointmentFile,
    { fileId: args.params.fileId, page: new URL(args.request.url).searchParams.get("page") ?? 1 },
    { subject: ({ id }) => ({ fields: { fileId: id } }) },
  );

export const action = (args: ActionFunctionArgs) => runCommand(args, { startImport });

const columnsOf = (isWaiting: boolean): PlainColumn<ShownRow>[] => [
  { label: "Linje", cell: ({ line }) => line },
  { label: "CPR-nummer", isVerbatim: true, cell: ({ cpr }) => <span className="whitespace-nowrap">{cpr}</span> },
  {
    label: "Navn",
    isVerbatim: true,
    cell: ({ name, referralName }) => (
      <div>
        {name || "–"}
        {referralName && referralName !== name && <div className="meta">Henvisning: {referralName}</div>}
      </div>
    ),
  },
  { label: "Behandlings dato & tid", cell: ({ at }) => at },
  { label: "Ekstern kode", isVerbatim: true, cell: ({ code }) => code || "–" },
  {
    label: "Nr.",
    isVerbatim: true,
    cell: ({ referralId }) => (referralId === null ? "–" : <Link to={paths.referral(referralId)}>{referralId}</Link>),
  },
  {
    label: isWaiting ? "Sker der" : "Status",
    cell: ({ state, isDone, note, asks, isShownAgain }) => (
      <div>
        {isDone || isWaiting ? (
          <StateText state={isWaiting ? { ...state, label: plannedLabel(state) } : state} />
        ) : (
          <span className="meta">Venter: {state.label.toLowerCase()}</span>
        )}
        {isShownAgain && <div className="meta">Vurderet igen: portalen er ændret siden prøvekørslen.</div>}
        {asks && <div className="meta">Der er et spørgsmål til linjen øverst på siden.</div>}
        {note && <div className="meta">{note}</div>}
      </div>
    ),
  },
];

export default function AppointmentFile() {
  const file = presentFile(useLoaderData<typeof loader>());
  const isLost = useImportPoll(file);
  const asks = file.questions.length + file.surgeonQuestions.length + file.doubtQuestions.length > 0;
  const start = (label: string) => file.canStart && !asks && <StartImport label={label} />;
  return (
    <>
      <PageHead
        title={file.isWaiting ? "Prøvekørsel af patienttider" : "Import af patienttider"}
        tools={<ButtonLink to={paths.appointments}>Alle filer</ButtonLink>}
      />
      <p className="meta mb-3">
        {file.fileName} · {file.lines}
        {file.importedAt && ` · importeret ${file.importedAt}`}
      </p>
      {file.isWaiting && file.rowsDone === 0 && (
        <Notice kind="info" title="Intet er importeret endnu." action={start(`Importér ${file.toImport}`)}>
          {trialText(file)}
        </Notice>
      )}
      {file.isWaiting && file.rowsDone > 0 && (
        <Notice kind="warn" title={`${file.left} er ikke importeret.`} live action={start(`Importér ${file.toImport}`)}>
          Portalen er ændret siden prøvekørslen, så de er vurderet igen og står først i listen. Resten er importeret.
        </Notice>
      )}
      {file.importedAt && !file.isWaiting && (
        <Notice kind="success" title="Filen er importeret.">
          {`Sat, flyttet eller aflyst: ${file.imported}.`}
        </Notice>
      )}
      {file.isFailed && (
        <Notice kind="error" title="Eksport csv mislykkedes." live action={start("Prøv igen")}>
          {file.rowsDone} af {file.rowCount} linjer er importeret. De bliver ikke importeret to gange.
        </Notice>
      )}
      {isLost && (
        <Notice kind="error" title="Eksport csv mislykkedes." live>
          Forbindelsen blev afbrudt, så vi kan ikke se, hvor langt importen er. Den fortsætter hos os, og vi ser efter
          igen om lidt.
        </Notice>
      )}
      {file.isImporting && !isLost && (
        <Notice kind="info" title="Importeres." live action={<a href={paths.appointmentFile(file.id)}>Opdatér</a>}>
          <Progress
            label={`${file.rowsDone} af ${file.rowCount} linjer`}
            value={Math.floor((file.rowsDone / Math.max(1, file.rowCount)) * 100)}
          />
        </Notice>
      )}
      {file.canStart && asks && (
        <Questions {...file} label={file.isFailed ? "Prøv igen" : `Importér ${file.toImport}`} />
      )}
      <ul className="row mb-2" aria-label="Sammentælling">
        {file.counts.map((state) => (
          <li key={state.value}>
            <StateText state={state} />
          </li>
        ))}
      </ul>
      <PlainTable caption="Linjer" columns={columnsOf(file.isWaiting)} rows={file.rows} keyOf={({ id }) => id} />
      <Pager
        page={file.page}
        pageCount={file.pageCount}
        href={(page) => `${paths.appointmentFile(file.id)}?page=${page}`}
        label="Sider"
      />
    </>
  );
}

function StartImport({ label }: { label: string }) {
  return (
    <ActionForm operation="startImport">
      <StartButton label={label} />
    </ActionForm>
  );
}

interface QuestionsProps {
  questions: readonly ShownQuestion[];
  surgeonQuestions: readonly ShownSurgeonQuestion[];
  doubtQuestions: readonly ReturnType<typeof presentDoubt>[];
  label: string;
}

function Questions({ questions, surgeonQuestions, doubtQuestions, label }: QuestionsProps) {
  const asked = [...questions, ...doubtQuestions, ...surgeonQuestions];
  const { form, fields, summary } = useServerForm<Record<string, string>>("startImport", {
    // The page's order; the label distinguishes two words or names that are asked about.
    labels: Object.fromEntries(asked.map(({ name, label: text }) => [name, text])),
  });
  return (
    <ActionForm operation="startImport" enter="nothing" place="startImport" of={form} className="panel panel-body mb-3">
      <div className="stack">
        <ErrorSummary {...summary("Intet er importeret.")} />
        {questions.length > 0 && (
          <>
            <h2>Flyttet eller ekstra?</h2>
            <p>
              Filen har nye tider til patienter, der allerede har en kommende tid med samme kode, og den dækker ikke de
              gamle tiders dage. Vælg for hver linje.
            </p>
          </>
        )}
        {questions.map(({ name, label: text, choices }) => (
          <RadioGroup key={name} field={fields[name]} label={text} choices={choices} />
        ))}
        {doubtQuestions.length > 0 && <h2>Skal det importeres?</h2>}
        {doubtQuestions.map(({ name, label: text, choices }) => (
          <RadioGroup key={name} field={fields[name]} label={text} choices={choices} />
        ))}
        {surgeonQuestions.length > 0 && <h2>Hvilken kirurg?</h2>}
        {surgeonQuestions.map(({ name, label: text, choices }) => (
          <RadioGroup key={name} field={fields[name]} label={text} choices={choices} />
        ))}
        <p>
          <StartButton label={label} />
        </p>
      </div>
    </ActionForm>
  );
}

const StartButton = ({ label }: { label: string }) => (
  <Button value="startImport" variant="primary" state={useBusy("startImport")}>
    {label}
  </Button>
);
