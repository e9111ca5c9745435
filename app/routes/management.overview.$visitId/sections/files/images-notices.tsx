import { Link, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { usePageTicket, useFormErrors } from "~/http/forms/use-action-result";
import { ActionForm, TicketFields } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { Button } from "~/ui/forms/button";
import { StateText } from "~/ui/lists/chip";
import { ErrorNotice, Notice } from "~/ui/feedback/notice";
import type { OpenReferral } from "../../open-referral";
import { useImagePages } from "~/components/referral-pages/use-image-pages";

type ArchiveState = NonNullable<NonNullable<OpenReferral["archive"]>["state"]>;

const PLANNED: ArchiveState = { label: "Planlagt", tone: "closed", icon: "export-planned" };

/** The form's answer is a file and the page stays, so it shows the planned retry itself. */
export function useRetriedExport() {
  const [isRetried, setRetried] = useState(false);
  // After the browser has read the form; otherwise the button would be gone.
  return { isRetried, retry: () => void setTimeout(() => setRetried(true)) };
}

export function ExportState({ state, isRetried }: { state: ArchiveState; isRetried: boolean }) {
  return (
    <>
      <span className="sr-only">Eksport til arkivet: </span>
      <StateText state={isRetried ? PLANNED : state} className="ml-1.5" />
    </>
  );
}

/** Retries the archive export and downloads all. A plain form, since a download is no page. */
export function RetryExport({ action, onRetry }: { action: string; onRetry(): void }) {
  const ticket = usePageTicket();
  return (
    <form method="post" action={action} onSubmit={onRetry}>
      <TicketFields operation="retryRadiographExport" ticket={ticket} />
      <Button value="retryRadiographExport" variant="plain" size="small" fit="tight" icon="radiograph">
        Eksportér igen og hent alle
      </Button>
    </form>
  );
}

export function DeletedNotice({ referral }: { referral: OpenReferral }) {
  const [query] = useSearchParams();
  const pages = useImagePages(referral.id);
  const refused = useFormErrors("retryRadiographExport");
  const deleted = query.get("slettet");
  const isShown = referral.deletedFiles.some(({ id }) => String(id) === deleted);
  return (
    <div className="notices">
      <ErrorNotice texts={refused} />
      {isShown && (
        <Notice
          kind="info"
          live
          action={
            <ActionForm
              operation="restoreFile"
              item={`fileId:${deleted}`}
              place={`restoreDeleted-${deleted}`}
              action={pages.referral}
              preventScrollReset
            >
              <input type="hidden" name="to" value={pages.referral} />
              <Button value="restoreFile" size="small" icon="undo">
                Fortryd
              </Button>
            </ActionForm>
          }
        >
          Billedet er slettet.
        </Notice>
      )}
    </div>
  );
}

export function WithheldNotice({ withheldImages }: Pick<OpenReferral, "withheldImages">) {
  const total = withheldImages.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  return (
    <Notice
      kind="warn"
      className="mb-3"
      title={
        total === 1
          ? "1 billede er holdt tilbage fra arkivet"
          : `${showCount(total)} billeder er holdt tilbage fra arkivet`
      }
    >
      <ul className="plain">
        {withheldImages.map(({ fileName, count, lines }) => (
          <li key={lines.join()}>
            <b className="break-anywhere">{fileName}</b>
            {count > 1 && ` og ${showCount(count - 1)} ${count === 2 ? "fil" : "filer"} mere`}
            {lines.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <Link to={paths.failures}>Afgør det under Fejl</Link>
    </Notice>
  );
}

/** Files missing since sending and why, because the sender may have closed the browser. */
export function NotReceivedNotice({ notReceived }: Pick<OpenReferral, "notReceived">) {
  if (notReceived.length === 0) return null;
  return (
    <Notice
      kind="warn"
      className="mb-3"
      title={notReceived.length === 1 ? "1 fil er ikke modtaget" : `${notReceived.length} filer er ikke modtaget`}
    >
      <ul className="plain break-anywhere">
        {notReceived.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  );
}
