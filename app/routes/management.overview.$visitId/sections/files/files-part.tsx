import { filePaths } from "~/features/referrals/file-paths";
import { showBytes, showCount } from "~/text/numbers";
import { Icon } from "~/ui/icons/icon";
import { ScanNote, scanNotesOf } from "~/components/scan-note/scan-note";
import type { OpenReferral } from "../../open-referral";
import { LineSection } from "../line-section";
import { Link } from "@remix-run/react";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import { seriesName } from "~/features/referrals/images/series";
import { awaitedText } from "~/features/referrals/model/missing-texts";
import { ActionForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Pager } from "~/ui/lists/pager";
import { Disclosure } from "~/ui/layout/disclosure";
import { Section } from "~/ui/layout/page";
import { Tag } from "~/ui/lists/chip";
import {
  DeletedNotice,
  ExportState,
  NotReceivedNotice,
  RetryExport,
  useRetriedExport,
  WithheldNotice,
} from "./images-notices";

const kinds: Record<string, string> = { journal: "Journalkopi", approval: "Behandlingsgodkendelse" };

export function FilesPart({ referral: { id, files } }: { referral: OpenReferral }) {
  const scanNoteOf = scanNotesOf(files);
  return (
    <LineSection title="Filer" id="filer">
      {files.length === 0 ? (
        <p className="text-ink2">Ingen data... Ingen journal eller bevilling.</p>
      ) : (
        <ul className="[&>li+li]:mt-2">
          {files.map((file) => (
            <li key={file.id}>
              <a data-file href={filePaths.referralFile(id, file.id)} className="row">
                <Icon name="attach" size={18} />
                <span>{file.name}</span>
              </a>
              <span className="meta">
                {kinds[file.kind]} · {showBytes(file.sizeBytes)}
                {scanNoteOf(file) && ` · ${scanNoteOf(file)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <ScanNote files={files} />
    </LineSection>
  );
}

function DeletedFiles({ referral: { id: referralId, deletedFiles } }: { referral: OpenReferral }) {
  const pages = useImagePages(referralId);
  if (deletedFiles.length === 0) return null;
  return (
    <Disclosure
      title={deletedFiles.length === 1 ? "1 slettet fil" : `${deletedFiles.length} slettede filer`}
      note="Vis"
      id="slettede-filer"
      line
    >
      <ul className="divide-y divide-line [&>li]:py-2">
        {deletedFiles.map((file) => (
          <li key={file.id}>
            <span className="mr-2">{file.name}</span>{" "}
            <span className="meta mr-2">
              {file.kindLabel} · slettet {file.deletedOn} · kan hentes tilbage til og med {file.lastDay}
            </span>{" "}
            <ActionForm
              operation="restoreFile"
              item={`fileId:${file.id}`}
              place={`restoreFile-${file.id}`}
              action={pages.referral}
              preventScrollReset
            >
              <input type="hidden" name="to" value={pages.referral} />
              <Button value="restoreFile" size="small" icon="undo" aria-label={`Fortryd sletningen af ${file.name}`}>
                Fortryd
              </Button>
            </ActionForm>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

const addTile =
  "ref-add flex flex-col items-center justify-center h-[110px] border border-dashed border-control rounded text-primary-ink text-meta font-semibold no-underline";

type Images = OpenReferral["images"];

export function ImagesPart({ referral }: { referral: OpenReferral }) {
  const { id, images, archive, awaitedFiles } = referral;
  const pages = useImagePages(id);
  const retried = useRetriedExport();
  const scanNoteOf = scanNotesOf(images.shown);
  return (
    <Section
      title="Billeder"
      id="billeder"
      note={
        <>
          {countOf(images)} {awaitedFiles > 0 && <b className="text-ink">{awaitedText(awaitedFiles)}</b>}{" "}
          {archive?.state && <ExportState state={archive.state} isRetried={retried.isRetried} />}
        </>
      }
      tools={
        images.count > 0 && (
          <div className="row">
            {archive?.hasFailed && !retried.isRetried && (
              <RetryExport action={pages.referral} onRetry={retried.retry} />
            )}
            <ButtonLink
              data-file
              to={filePaths.referralImagesZip(id)}
              reloadDocument
              variant="plain"
              size="small"
              fit="tight"
              icon="download"
            >
              Hent alle (ZIP)
            </ButtonLink>
          </div>
        )
      }
    >
      <DeletedNotice referral={referral} />
      <WithheldNotice withheldImages={referral.withheldImages} />
      <NotReceivedNotice notReceived={referral.notReceived} />
      {images.count === 0 ? (
        <p className="meta">
          Ingen data... {sendTypeText(referral)}{" "}
          <Link to={pages.upload} data-shortcut="b" className="print:hidden">
            Tilføj billeder
          </Link>
        </p>
      ) : (
        <>
          <ul className="ref-images thumbs">
            {images.shown.map((image) => (
              <ImageTile
                key={image.id}
                referralId={id}
                image={image}
                scan={scanNoteOf(image)}
                pages={pages}
                mayDelete={referral.mayEdit}
              />
            ))}
            <li className="print:hidden">
              <Link to={pages.upload} preventScrollReset className={addTile}>
                <Icon name="upload" size={24} />
                Tilføj billeder
              </Link>
            </li>
          </ul>
          <Pager page={images.page} pageCount={images.pageCount} href={pages.tiles} label="Sider med billeder" />
        </>
      )}
      <ScanNote files={images.shown} />
      <DeletedFiles referral={referral} />
    </Section>
  );
}

interface ImageTileProps {
  referralId: number;
  image: Images["shown"][number];
  scan: string | undefined;
  pages: ReturnType<typeof useImagePages>;
  mayDelete: boolean;
}

/** Shows the whole image, its type and date; the end of a long name is never cut, since it is the file's extension. */
function ImageTile({ referralId, image, scan, pages, mayDelete }: ImageTileProps) {
  const isSeries = image.slices > 1;
  const showsDicom = image.isDicom && !/DICOM/.test(image.typeLabel);
  const split = Math.max(image.name.lastIndexOf("."), image.name.length - 8);
  return (
    <li>
      <a
        href={pages.image(image.id)}
        data-shortcut="b"
        className="block rounded text-ink no-underline"
        title={isSeries ? seriesName(image.slices) : image.name}
      >
        <img
          src={filePaths.referralPreview(referralId, image.id, "thumb")}
          alt=""
          loading="lazy"
          width={160}
          height={110}
        />
        {isSeries ? (
          <span className="block">{seriesName(image.slices)}</span>
        ) : (
          <>
            <span className="sr-only">{image.name}</span>
            <span className="ref-name" aria-hidden="true">
              <span>{image.name.slice(0, split)}</span>
              <span>{image.name.slice(split)}</span>
            </span>
          </>
        )}
      </a>{" "}
      <span className="block truncate text-ink2" title={image.uploadedOn}>
        <b className="text-ink">{image.typeLabel}</b> {showsDicom && <Tag title="DICOM-fil">DICOM</Tag>}{" "}
        {image.exposure && image.arrival}
      </span>
      <span
        className="block text-ink2 first-letter:uppercase"
        title={image.exposure ? "Før henvisningen kom" : undefined}
      >
        {image.exposure ?? image.arrival}
      </span>
      {image.isOfAnother && (
        <span className="state tone-warn">
          <Icon name="warning" size={18} />
          <span>Andet CPR-nummer i filen</span>
        </span>
      )}
      {image.same.map(({ text, referralId: otherId, isSamePatient }) => (
        <Link key={text} to={paths.referral(otherId)} className={isSamePatient ? "block" : "state tone-warn"}>
          {!isSamePatient && <Icon name="warning" size={18} />}
          <span>{text}</span>
        </Link>
      ))}
      {scan && <span className="block text-ink2">{scan}</span>}
      <span className="block text-ink2 [&>a]:inline-block [&>a]:py-1 [&>a]:mr-3 print:hidden">
        {!isSeries && (
          <a
            href={filePaths.referralFile(referralId, image.id)}
            download={image.name}
            aria-label={`Hent originalen af ${image.name}`}
          >
            Hent
          </a>
        )}
        {mayDelete && (
          <Link
            to={pages.deleteImage(image.id)}
            preventScrollReset
            aria-label={`Slet ${isSeries ? seriesName(image.slices) : image.name}`}
          >
            Slet
          </Link>
        )}
      </span>
    </li>
  );
}

function countOf({ count, dicomCount }: Images): string {
  const files = count === 1 ? "1 fil" : `${showCount(count)} filer`;
  return dicomCount === 0 ? files : `${files}, heraf ${showCount(dicomCount)} DICOM`;
}

function sendTypeText({ referral }: OpenReferral): string {
  return referral.radiographs === "Intet ekstra materiale"
    ? "Henviseren sender ingen billeder."
    : `Henviseren sender billederne: ${referral.radiographs.toLowerCase()}.`;
}
