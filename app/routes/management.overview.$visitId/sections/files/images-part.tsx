import { Link } from "@remix-run/react";
import { paths } from "~/paths";
import { showBytes } from "~/text/numbers";
import { ButtonLink } from "~/ui/forms/button";
import { Tag } from "~/ui/lists/chip";
import { Icon } from "~/ui/icons/icon";
import { Section } from "~/ui/layout/page";
import { ScanNote, scanNoteOf } from "~/ui/feedback/scan-note";
import { addTile, ThumbnailGrid } from "~/ui/lists/thumbnail-grid";
import { DeletedFiles } from "./deleted-files";
import { DeletedNotice, ExportState, RetryExport, useRetriedExport } from "./images-notices";
import type { OpenReferral } from "../../open-referral";
import { useImagePages } from "~/components/referral-pages/use-image-pages";

type Image = OpenReferral["images"][number];

/** X-rays and photos with type, date, size and scan state; the picture opens large. */
export function ImagesPart({ referral }: { referral: OpenReferral }) {
  const { id, images, archive, mayEdit } = referral;
  const pages = useImagePages(id);
  const retried = useRetriedExport();
  return (
    <Section
      title="Billeder"
      id="billeder"
      note={
        <>
          {countOf(images)} {archive?.state && <ExportState state={archive.state} isRetried={retried.isRetried} />}
        </>
      }
      tools={
        images.length > 0 && (
          <div className="row">
            {archive?.hasFailed && !retried.isRetried && (
              <RetryExport referralId={id} action={pages.referral} onRetry={retried.retry} />
            )}
            <ButtonLink
              data-file
              to={paths.referralImagesZip(id)}
              reloadDocument
              variant="plain"
              size="small"
              icon="download"
            >
              Hent alle (ZIP)
            </ButtonLink>
          </div>
        )
      }
    >
      <DeletedNotice referral={referral} />
      {images.length === 0 ? (
        <p className="meta">
          Ingen data... {radiographsSay(referral)} <Link to={pages.upload}>Tilføj billeder</Link>
        </p>
      ) : (
        <ThumbnailGrid
          items={images.map((image) => ({
            id: image.id,
            name: image.name,
            note: <Note image={image} scan={scanNoteOf(image, images)} />,
            href: pages.image(image.id),
            src: paths.referralPreview(id, image.id, "thumb"),
            action: (
              <span className="[&>a]:inline-block [&>a]:py-1 [&>a]:pr-3 text-meta">
                <a
                  href={paths.referralFile(id, image.id)}
                  download={image.name}
                  aria-label={`Hent originalen af ${image.name}`}
                >
                  Hent original
                </a>
                {mayEdit && (
                  <Link to={pages.deleteImage(image.id)} preventScrollReset aria-label={`Slet ${image.name}`}>
                    Slet
                  </Link>
                )}
              </span>
            ),
          }))}
          add={
            <Link to={pages.upload} preventScrollReset className={addTile}>
              <Icon name="upload" size={24} />
              Tilføj billeder
            </Link>
          }
        />
      )}
      <ScanNote files={images} />
      <DeletedFiles referral={referral} />
    </Section>
  );
}

function Note({ image, scan }: { image: Image; scan: string | undefined }) {
  return (
    <>
      {image.typeLabel} · {image.uploadedOn} · {showBytes(image.sizeBytes)}
      {scan && ` · ${scan}`} {image.isDicom && <Tag title="DICOM-fil">DICOM</Tag>}
      {image.isOfAnother && (
        <span className="state tone-warn">
          <Icon name="warning" size={18} />
          <span>Andet CPR-nummer i filen</span>
        </span>
      )}
    </>
  );
}

/** '4 filer, heraf 1 DICOM' */
function countOf(images: readonly Image[]): string {
  const files = images.length === 1 ? "1 fil" : `${images.length} filer`;
  const dicom = images.filter(({ isDicom }) => isDicom).length;
  return dicom === 0 ? files : `${files}, heraf ${dicom} DICOM`;
}

/** How the referrer said that the images come, where none has. */
function radiographsSay({ referral }: OpenReferral): string {
  return referral.radiographs === "Intet ekstra materiale"
    ? "Henviseren sender ingen billeder."
    : `Henviseren sender billederne: ${referral.radiographs.toLowerCase()}.`;
}
