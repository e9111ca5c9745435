import { paths } from "~/paths";
import { Section } from "~/ui/page";
import { ThumbnailGrid } from "~/ui/thumbnail-grid";
import type { OpenReferral } from "./open-referral";

/** X-rays and photos with type and date; the picture opens, the original is fetched by its own link. */
export function ImagesPart({ referral }: { referral: OpenReferral }) {
  const { images } = referral;
  return (
    <Section title="Billeder" id="billeder" note={images.length === 1 ? "1 fil" : `${images.length} filer`}>
      {images.length === 0 ? (
        <p className="meta">Ingen data... Henviseren sender billederne: {referral.referral.radiographs.toLowerCase()}.</p>
      ) : (
        <ThumbnailGrid
          items={images.map((image) => ({
            id: image.id,
            name: image.name,
            note: `${image.typeLabel} · ${image.uploadedOn}${image.isScanned ? "" : " · ikke virusscannet"}`,
            href: paths.referralPreview(referral.id, image.id, "view"),
            src: paths.referralPreview(referral.id, image.id, "thumb"),
            action: (
              <a href={paths.referralFile(referral.id, image.id)} download={image.name} aria-label={`Hent originalen af ${image.name}`}>
                Hent original
              </a>
            ),
          }))}
        />
      )}
    </Section>
  );
}
