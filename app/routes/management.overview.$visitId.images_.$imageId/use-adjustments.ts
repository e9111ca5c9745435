import { useSearchParams } from "@remix-run/react";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import { MAX_TONE_STEPS, type WindowAdjustment } from "~/files/previews/preview-result";
import { filePaths } from "~/features/referrals/file-paths";
import { useUpcomingQuery } from "~/ui/hooks/use-upcoming-query";
import type { ViewedImage } from "./present";

const TURNS = [0, 90, 180, 270] as const;
const TONE_PANELS = ["lys", "kontrast"] as const;
type TonePanel = (typeof TONE_PANELS)[number];

interface AdjustmentState extends WindowAdjustment {
  isFull: boolean;
  frame: number;
  isInverted: boolean;
  turn: (typeof TURNS)[number];
  tonePanel: TonePanel | null;
  isStripFolded: boolean;
  besideId: number | null;
}

const bounded = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.round(value) || 0));
const toneStep = (value: number) => bounded(value, -MAX_TONE_STEPS, MAX_TONE_STEPS);

/**
 * View settings from the address: `visning=100` original size, `lys` and `kontrast` steps, `omvendt`, `drejet` degrees,
 * `snit` (1-based) of DICOM, `panel` for tone, `foldet` for the strip, `ved` for the second image. Each is a link
 * without JavaScript.
 */
export function useAdjustments(referralId: number, { id, dicom }: ViewedImage, sliceIds: readonly number[]) {
  const [shown] = useSearchParams();
  const query = useUpcomingQuery() ?? shown;
  const pages = useImagePages(referralId);
  const frames = dicom?.frames ?? 1;
  // First slices are usually empty, so start in the middle like the preview.
  const middle = Math.floor(frames / 2);
  const adjustments: AdjustmentState = {
    brightness: toneStep(Number(query.get("lys"))),
    contrast: toneStep(Number(query.get("kontrast"))),
    frame: query.has("snit") ? bounded(Number(query.get("snit")) - 1, 0, frames - 1) : middle,
    isFull: query.get("visning") === "100",
    isInverted: query.get("omvendt") === "1",
    turn: TURNS.find((degrees) => degrees === Number(query.get("drejet"))) ?? 0,
    tonePanel: TONE_PANELS.find((panel) => panel === query.get("panel")) ?? null,
    isStripFolded: query.get("foldet") === "1",
    besideId: Number(query.get("ved")) || null,
  };
  const asQuery = ({
    isFull,
    brightness,
    contrast,
    frame,
    isInverted,
    turn,
    tonePanel,
    isStripFolded,
    besideId,
  }: AdjustmentState) => ({
    ...(isFull && { visning: 100 }),
    ...(brightness !== 0 && { lys: brightness }),
    ...(contrast !== 0 && { kontrast: contrast }),
    ...(frame !== middle && { snit: frame + 1 }),
    ...(isInverted && { omvendt: 1 }),
    ...(turn !== 0 && { drejet: turn }),
    ...(tonePanel !== null && { panel: tonePanel }),
    ...(isStripFolded && { foldet: 1 }),
    ...(besideId !== null && { ved: besideId }),
  });
  const hrefOf = (change: Partial<AdjustmentState>) => {
    const next = { ...adjustments, ...change };
    return pages.image(
      id,
      asQuery({
        ...next,
        brightness: toneStep(next.brightness),
        contrast: toneStep(next.contrast),
        frame: bounded(next.frame, 0, frames - 1),
      }),
    );
  };
  const at = sliceIds.indexOf(id);
  return {
    ...adjustments,
    frames,
    /** Slices to step through: a series' files or a file's frames. `hrefOf` keeps the view. */
    slices:
      sliceIds.length > 1
        ? {
            at,
            count: sliceIds.length,
            hrefOf: (step: number) =>
              pages.image(sliceIds[bounded(at + step, 0, sliceIds.length - 1)]!, asQuery(adjustments)),
          }
        : {
            at: adjustments.frame,
            count: frames,
            hrefOf: (step: number) => hrefOf({ frame: adjustments.frame + step }),
          },
    turned: TURNS[(TURNS.indexOf(adjustments.turn) + 1) % TURNS.length]!,
    hrefOf,
    hrefOfOther: (otherId: number, besideId: number | null = null) =>
      pages.image(otherId, {
        ...(adjustments.isStripFolded && { foldet: 1 }),
        ...(besideId !== null && { ved: besideId }),
      }),
    /** The server applies tone to DICOM's full grey levels; the browser to other images. */
    source: (size: "view" | "full") =>
      filePaths.referralPreview(referralId, id, size, {
        ...(adjustments.frame === middle ? {} : { frame: adjustments.frame }),
        ...(dicom && (adjustments.brightness !== 0 || adjustments.contrast !== 0)
          ? { brightness: adjustments.brightness, contrast: adjustments.contrast }
          : {}),
      }),
  };
}

export type Adjustments = ReturnType<typeof useAdjustments>;
