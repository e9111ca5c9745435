import type { ReactNode } from "react";
import { showBytes } from "~/text/numbers";
import { Icon } from "~/ui/icons/icon";
import { ChangingText } from "~/ui/layout/translation";

export interface FileLineProps {
  name: string;
  sizeBytes: number;
  /** Where its thumbnail is; left out while there is none. */
  thumbnail?: string;
  /** After the size: 'ikke virusscannet'. */
  note?: string;
  /** What is done to it, at the end of the first line: pause, the cross. */
  acts?: ReactNode;
  /** Below the name: type, state, bar. */
  children?: ReactNode;
}

/** One file: picture, name, size, and what is said and done about it. The picture is shown whole. */
export function FileLine({ name, sizeBytes, thumbnail, note, acts, children }: FileLineProps) {
  return (
    <>
      {thumbnail ? (
        <img className="file-pic" src={thumbnail} alt="" width={72} height={54} loading="lazy" />
      ) : (
        <span className="file-pic">
          <Icon name="image" size={24} />
        </span>
      )}
      <span className="file-name">
        <b translate="no">{name}</b>{" "}
        <span className="meta">
          {showBytes(sizeBytes)}
          {note && <ChangingText text={` · ${note}`} />}
        </span>
      </span>
      <span className="file-acts">{acts}</span>
      <div className="file-more">{children}</div>
    </>
  );
}
