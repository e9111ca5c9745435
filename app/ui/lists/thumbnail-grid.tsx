import type { ReactNode } from "react";
import { Icon } from "~/ui/icons/icon";

export interface Thumbnail {
  id: string | number;
  name: string;
  /** Type and date. */
  note: ReactNode;
  /** Where the whole image is. */
  href: string;
  /** Left out while there is no preview. */
  src?: string;
  /** Buttons that belong to the image (delete). */
  action?: ReactNode;
}

const picture = "w-full h-[92px] rounded bg-raised";

/** The look of the last tile, which adds an image. */
export const addTile =
  "flex flex-col items-center justify-center min-h-[92px] border border-dashed border-control rounded text-primary-ink text-meta font-semibold no-underline";

/** Images with name, type and date; the picture and the name are one link, and a blank parts it from the type where there are no styles. `add` is a last tile (`addTile`). */
export function ThumbnailGrid({ items, add }: { items: readonly Thumbnail[]; add?: ReactNode }) {
  return (
    <ul className="thumbs grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] grid-gap-3">
      {items.map((item) => (
        <li key={item.id}>
          <a href={item.href} className="group block rounded text-ink text-meta no-underline">
            {item.src ? (
              <img
                src={item.src}
                alt=""
                loading="lazy"
                width={132}
                height={92}
                className={`${picture} object-contain`}
              />
            ) : (
              <span className={`${picture} flex items-center justify-center border border-line text-ink2`}>
                <Icon name="radiograph" size={32} />
              </span>
            )}
            <b className="block mt-1 break-anywhere group-hover:underline">{item.name}</b>
          </a>{" "}
          <span className="meta">{item.note}</span>
          {item.action}
        </li>
      ))}
      {add && <li>{add}</li>}
    </ul>
  );
}
