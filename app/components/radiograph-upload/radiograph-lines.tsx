import type { SerializeFrom } from "@remix-run/node";
import type { ResultOf } from "~/access/operation.server";
import type { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { useFetcher, useRevalidator } from "@remix-run/react";
import { createContext, type RefObject, useContext, useEffect, useRef } from "react";
import { nameOfImage } from "~/features/referrals/images/series";
import { radiographTypes, typesFor } from "~/files/file-rules";
import { TicketFields } from "~/http/forms/action-form";
import { usePageTicket } from "~/http/forms/use-action-result";
import type { ActionResult } from "~/http/forms/action-result";
import { filePaths } from "~/features/referrals/file-paths";
import { Button, IconButton } from "~/ui/forms/button";
import { FileLine } from "~/ui/lists/file-links";
import { Icon } from "~/ui/icons/icon";
import { showDay } from "~/text/dates";
import { DateField } from "~/ui/forms/date-field";
import { Progress } from "~/ui/feedback/progress";
import { SelectField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";

type WizardData = SerializeFrom<Exclude<ResultOf<typeof readWizard>, { redirectTo: string }>>;
export type Radiograph = WizardData["images"][number];
export type WholeUpload = WizardData["whole"];
export type UnfinishedUpload = WizardData["unfinished"][number];
export type StagedImage = WizardData["stagedImages"][number];
export type UnpackedArchive = WizardData["archives"][number];

interface RadiographLineProps {
  image: Radiograph;
  referralId: number;
  scanNote: string | undefined;
  may?: "all" | "retype" | "look";
  carriedBy?: string;
}

export function RadiographLine({ image, referralId, scanNote, may = "all", carriedBy }: RadiographLineProps) {
  const fetcher = useLineFetcher();
  const ticket = usePageTicket();
  const hydrated = useHydrated();
  const select = useRef<HTMLSelectElement>(null);
  const saveType = (type: number) =>
    fetcher.submit(
      { intent: "setRadiographType", ticket: ticket.sealed, fileId: image.id, radiographType: type },
      { method: "post", preventScrollReset: true },
    );
  const saveExposure = (takenOn: string) =>
    fetcher.submit(
      {
        intent: "setRadiographType",
        ticket: ticket.sealed,
        fileId: image.id,
        asksTakenOn: "on",
        takenOn,
        ...(image.slices > 1 ? { wholeSeries: "on" } : {}),
      },
      { method: "post", preventScrollReset: true },
    );
  useTypeHandover(select, image.type, saveType);
  if (fetcher.formData?.get("intent") === "removeRadiograph") return null;
  const types = typesFor(image.fileName);
  const name = nameOfImage(image);
  const isCarried = carriedBy !== undefined && types.length > 1;
  return (
    <li>
      <fetcher.Form method="post" className="file-line" preventScrollReset>
        <TicketFields operation="setRadiographType" ticket={ticket} enter="operation" />
        <input type="hidden" name="fileId" value={image.id} />
        {image.slices > 1 && <input type="hidden" name="wholeSeries" value="on" />}
        <FileLine
          name={name}
          sizeBytes={image.sizeBytes}
          note={scanNote}
          thumbnail={filePaths.referralPreview(referralId, image.id, "thumb")}
          acts={may === "all" && <IconButton value="removeRadiograph" icon="close" label={`Fjern ${name}`} />}
        >
          <GuessMark />
          {may === "look" ? (
            <span className="file-type">{radiographTypes.find(({ value }) => value === image.type)?.label}</span>
          ) : (
            <>
              {isCarried && <input type="hidden" name="images" value={`${image.id}-${image.type}`} form={carriedBy} />}
              <SelectField
                {...(isCarried ? { name: "imageTypes", form: carriedBy } : { name: "radiographType" })}
                key={image.type}
                selectRef={select}
                id={`type-${image.id}`}
                label={`Billedtype for ${name}`}
                labelHidden
                choices={types}
                defaultValue={image.type}
                onChange={(event) => saveType(Number(event.currentTarget.value))}
              />
            </>
          )}
          {may !== "look" && (
            <Exposure id={String(image.id)} image={image} name={name} intent="setRadiographType" save={saveExposure} />
          )}
          {!hydrated && may !== "look" && types.length > 1 && (
            <Button
              {...(isCarried ? { value: "setRadiographTypes", form: carriedBy } : { value: "setRadiographType" })}
              className="scripts:hidden"
            >
              Skift type
            </Button>
          )}
          <Arrived />
          <FileError texts={fetcher.data?.submission?.error?.[""]} />
        </FileLine>
      </fetcher.Form>
    </li>
  );
}

export function StagedLine({ image }: { image: StagedImage }) {
  const { uploadId, fileName, sizeBytes, type, slices } = image;
  const name = nameOfImage(image);
  const fetcher = useLineFetcher();
  const ticket = usePageTicket();
  const select = useRef<HTMLSelectElement>(null);
  const saveType = (radiographType: number) =>
    fetcher.submit(
      { intent: "setUploadType", ticket: ticket.sealed, uploadId, radiographType },
      { method: "post", preventScrollReset: true },
    );
  const saveExposure = (takenOn: string) =>
    fetcher.submit(
      { intent: "setUploadType", ticket: ticket.sealed, uploadId, asksTakenOn: "on", takenOn },
      { method: "post", preventScrollReset: true },
    );
  useTypeHandover(select, type, saveType);
  if (fetcher.formData?.get("intent") === "cancelUpload") return null;
  return (
    <li>
      <fetcher.Form method="post" className="file-line" preventScrollReset>
        <TicketFields operation="setUploadType" ticket={ticket} enter="operation" />
        <input type="hidden" name="uploadId" value={uploadId} />
        {slices > 1 && <input type="hidden" name="wholeSeries" value="on" />}
        <FileLine
          name={name}
          sizeBytes={sizeBytes}
          acts={<IconButton value="cancelUpload" icon="close" label={`Fjern ${name}`} />}
        >
          <GuessMark />
          <SelectField
            name="radiographType"
            key={type}
            selectRef={select}
            id={`type-${uploadId}`}
            label={`Billedtype for ${name}`}
            labelHidden
            choices={typesFor(fileName)}
            defaultValue={type}
            onChange={(event) => saveType(Number(event.currentTarget.value))}
          />
          <Exposure id={uploadId} image={image} name={name} intent="setUploadType" save={saveExposure} />
          <Arrived />
          <FileError texts={fetcher.data?.submission?.error?.[""]} />
        </FileLine>
      </fetcher.Form>
    </li>
  );
}

interface ExposureProps {
  id: string;
  name: string;
  image: Pick<Radiograph, "takenOn" | "saysTakenOn">;
  intent: "setRadiographType" | "setUploadType";
  save(takenOn: string): void;
}

/** The day of exposure: as the file says it, else a field that is saved when it is left. */
function Exposure({ id, name, image: { takenOn, saysTakenOn }, intent, save }: ExposureProps) {
  const hydrated = useHydrated();
  const standing = takenOn === null ? "" : showDay(takenOn);
  if (saysTakenOn) return <span className="file-exposure meta">Optaget {standing}</span>;
  return (
    <details className="file-exposure">
      <summary className="no-marker flex items-center min-h-11 table:min-h-6 text-meta text-primary-ink">
        {standing === "" ? "Hvornår er det optaget?" : `Optaget ${standing}`}
      </summary>
      <input type="hidden" name="asksTakenOn" value="on" />
      <DateField
        key={standing}
        name="takenOn"
        id={`taken-${id}`}
        label={`Optagelsesdato for ${name}`}
        labelHidden
        defaultValue={standing}
        onBlur={({ currentTarget: { value } }) => value.trim() !== standing && save(value.trim())}
      />
      {!hydrated && (
        <Button value={intent} size="small" className="scripts:hidden">
          Gem dato
        </Button>
      )}
    </details>
  );
}

function useTypeHandover(
  select: RefObject<HTMLSelectElement>,
  saved: number | null,
  save: (type: number) => void,
): void {
  const first = useRef(() => {
    const standing = select.current && Number(select.current.value);
    if (standing !== null && saved !== null && standing !== saved) save(standing);
  });
  useEffect(() => first.current(), []);
}

export const Guessed = createContext(false);

export function GuessMark() {
  return useContext(Guessed) ? <span className="file-guess meta">gættet</span> : null;
}

function Arrived() {
  return (
    <span className="file-state">
      <span className="state tone-ok">
        <Icon name="done" size={18} />
        <span>Overført</span>
      </span>
    </span>
  );
}

export function UnfinishedLine({ upload }: { upload: UnfinishedUpload }) {
  const fetcher = useLineFetcher();
  const ticket = usePageTicket();
  if (fetcher.formData) return null;
  const share = Math.floor((100 * upload.receivedBytes) / upload.sizeBytes);
  const words =
    share === 100
      ? "Modtaget, men ikke kontrolleret endnu"
      : `Halvt uploadet (${share} %): vælg filen igen for at fortsætte`;
  return (
    <li>
      <fetcher.Form method="post" className="file-line" preventScrollReset>
        <TicketFields operation="cancelUpload" ticket={ticket} />
        <input type="hidden" name="uploadId" value={upload.id} />
        <FileLine
          name={upload.fileName}
          sizeBytes={upload.sizeBytes}
          acts={<IconButton value="cancelUpload" icon="close" label={`Fjern ${upload.fileName}`} />}
        >
          <div className="file-state file-bar">
            <Progress calm label={words} value={share} />
          </div>
          <FileError texts={fetcher.data?.submission?.error?.[""]} />
        </FileLine>
      </fetcher.Form>
    </li>
  );
}

/**
 * Remix follows only the first redirect when two lines are saved at once and drops the second's revalidation, so each
 * line revalidates itself.
 */
function useLineFetcher() {
  const fetcher = useFetcher<ActionResult>();
  const { revalidate } = useRevalidator();
  const wasBusy = useRef(false);
  const isBusy = fetcher.state !== "idle";
  useEffect(() => {
    if (wasBusy.current && !isBusy) revalidate();
    wasBusy.current = isBusy;
  }, [isBusy, revalidate]);
  return fetcher;
}

export function FileError({ texts }: { texts: readonly string[] | null | undefined }) {
  if (!texts?.length) return null;
  return (
    <p className="file-error" role="alert">
      <Icon name="alert" size={18} />
      {texts.join(" ")}
    </p>
  );
}
