import { InlineIcon } from "~/ui/icons/inline-icon";

export interface FileLink {
  href: string;
  name: string;
  note?: string;
  /** The same as a picture, where phones cannot open the file. */
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
