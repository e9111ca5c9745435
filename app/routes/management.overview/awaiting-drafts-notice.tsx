import { awaitingText } from "~/features/referrals/model/missing-texts";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import type { ShownList } from "./present";

export function AwaitingDraftsNotice({ list: { awaiting } }: { list: ShownList }) {
  const { drafts, hasMore } = awaiting;
  if (drafts.length === 0) return null;
  return (
    <Notice kind="info" icon="upload" title="Ikke sendt endnu.">
      {drafts.map(({ id, name, files }, index) => (
        <span key={id}>
          {index > 0 && " · "}
          <a href={paths.wizardStep(id, 3)}>{name}</a>: {awaitingText(files).toLowerCase()}
        </span>
      ))}
      {hasMore && (
        <>
          {" · "}
          <a href={paths.drafts}>flere</a>
        </>
      )}
    </Notice>
  );
}
