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

/** Images with name, type and date; the picture and the name are one link, and a blank parts it from the type where there are no styles. `add` is a last tile (see `.thumb-add`). */
export function ThumbnailGrid({ items, add }: { items: readonly Thumbnail[]; add?: ReactNode }) {
  return (
    <ul className="thumbs">
      {items.map((item) => (
        <li key={item.id}>
          <a href={item.href}>
            {item.src ? (
              <img src={item.src} alt="" loading="lazy" width={132} height={92} />
            ) : (
              <span className="thumb-none">
                <Icon name="radiograph" size={32} />
              </span>
            )}
            <b>{item.name}</b>
          </a>{" "}
          <span className="meta">{item.note}</span>
          {item.action}
        </li>
      ))}
      {add && <li>{add}</li>}
    </ul>
  );
}
