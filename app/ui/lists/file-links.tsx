import { InlineIcon } from "~/ui/icons/inline-icon";
import type { ReactNode } from "react";
import { showBytes } from "~/text/numbers";
import { Icon } from "~/ui/icons/icon";
import { ChangingText } from "~/ui/layout/translation";

interface FileLink {
  href: string;
  name: string;
  note?: string;
  picture?: string;
}

export function FileLinks({ files }: { files: readonly FileLink[] }) {
  return (
    <ul className="files">
      {files.map((file) => (
        <li key={file.href}>
          <a href={file.href}>
            <span>
              <b>{file.name}</b>
              {file.note && <span className="meta">{file.note}</span>}
            </span>
            <InlineIcon name="download" size={24} />
          </a>
          {file.picture && (
            <a href={file.picture}>
              <span>
                <b>Vis billedet</b>
                <span className="meta">{file.name} som billede</span>
              </span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

interface FileLineProps {
  name: string;
  sizeBytes: number;
  thumbnail?: string;
  note?: string;
  acts?: ReactNode;
  children?: ReactNode;
}

export function FileLine({ name, sizeBytes, thumbnail, note, acts, children }: FileLineProps) {
  return (
    <>
      {thumbnail ? (
        <img className="file-pic" src={thumbnail} alt="" width={48} height={36} loading="lazy" />
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
