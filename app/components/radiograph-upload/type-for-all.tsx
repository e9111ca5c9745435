import { useFetcher } from "@remix-run/react";
import { TicketFields } from "~/http/forms/action-form";
import { usePageTicket } from "~/http/forms/use-ticket";
import { type ActionResult } from "~/http/forms/action-result";
import { pictureTypes } from "~/files/file-rules";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { FileError } from "./radiograph-lines";
import type { UploadTarget } from "./upload-queues";

interface TypeForAllProps {
  target: UploadTarget;
  pictures: number;
  /** Also sets the type of files that only the browser knows. */
  onType(type: number): void;
}

export function TypeForAll({ target, pictures, onType }: TypeForAllProps) {
  const fetcher = useFetcher<ActionResult>();
  const ticket = usePageTicket();
  if (pictures < 2) return null;
  return (
    <fetcher.Form
      method="post"
      className="row mt-3"
      preventScrollReset
      onSubmit={(event) => onType(Number(new FormData(event.currentTarget).get("radiographType")))}
    >
      <TicketFields operation="setAllRadiographTypes" ticket={ticket} />
      {"formKey" in target && <input type="hidden" name="ofForm" value={target.formKey} />}
      <SelectField name="radiographType" id="type-for-alle" label="Type for alle" choices={pictureTypes} width={20} />
      <Button
        name="intent"
        value="setAllRadiographTypes"
        className="self-end"
        state={fetcher.state === "idle" ? "ready" : "working"}
      >
        Brug på alle
      </Button>
      <FileError texts={fetcher.data?.submission?.error?.[""]} />
    </fetcher.Form>
  );
}
