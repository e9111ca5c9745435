import {
  type MutableRefObject,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useNavigate } from "@remix-run/react";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import type { Viewer } from "./present";
import type { Adjustments } from "./use-adjustments";

interface Point {
  x: number;
  y: number;
}

interface Answers {
  isZoomed(): boolean;
  isToning(): boolean;
  /** `at` is relative to the viewport's centre. */
  zoom(factor: number, at: Point): void;
  move(x: number, y: number): void;
  tone(x: number, y: number, isDone: boolean): void;
}

/**
 * Wheel, mouse and touch on the viewport; no pointer events, because iOS 12 lacks them. One finger scrolls the page
 * while the picture fits. Returns the stop function.
 */
function watchPointers(viewport: HTMLElement, answers: Answers): () => void {
  let start: Point | null = null;
  let last: Point[] = [];

  const fromMiddle = ({ x, y }: Point): Point => {
    const box = viewport.getBoundingClientRect();
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };
  const dragged = (point: Point) => {
    const before = last[0];
    if (!before || !start) return;
    if (answers.isToning()) answers.tone(point.x - start.x, point.y - start.y, false);
    else answers.move(point.x - before.x, point.y - before.y);
    last = [point];
  };
  const ended = () => {
    if (start && last[0] && answers.isToning()) answers.tone(last[0].x - start.x, last[0].y - start.y, true);
    start = null;
    last = [];
  };

  const wheeled = (event: WheelEvent) => {
    event.preventDefault();
    answers.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, fromMiddle({ x: event.clientX, y: event.clientY }));
  };
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => ({ x: clientX, y: clientY });
  const mouseDown = (event: MouseEvent) => {
    if (event.button !== 0) return;
    start = pointOf(event);
    last = [start];
  };
  const mouseMoved = (event: MouseEvent) => dragged(pointOf(event));
  const touchStarted = (event: TouchEvent) => {
    last = Array.from(event.touches, pointOf);
    start = last.length === 1 ? last[0]! : null;
  };
  const touchMoved = (event: TouchEvent) => {
    const points = Array.from(event.touches, pointOf);
    const isOurs = points.length === 2 || answers.isZoomed() || answers.isToning();
    if (!isOurs) return;
    if (event.cancelable) event.preventDefault();
    if (points.length === 2 && last.length === 2) {
      const middle = midpoint(points);
      const before = midpoint(last);
      answers.zoom(distance(points) / (distance(last) || 1), fromMiddle(middle));
      answers.move(middle.x - before.x, middle.y - before.y);
      last = points;
    } else if (points.length === 1) dragged(points[0]!);
  };
  const touchEnded = (event: TouchEvent) => {
    if (event.touches.length > 0) touchStarted(event);
    else ended();
  };

  // Not passive, so that page scrolling can be prevented.
  viewport.addEventListener("wheel", wheeled, { passive: false });
  viewport.addEventListener("mousedown", mouseDown);
  window.addEventListener("mousemove", mouseMoved);
  window.addEventListener("mouseup", ended);
  viewport.addEventListener("touchstart", touchStarted, { passive: true });
  viewport.addEventListener("touchmove", touchMoved, { passive: false });
  viewport.addEventListener("touchend", touchEnded);
  viewport.addEventListener("touchcancel", touchEnded);
  return () => {
    viewport.removeEventListener("wheel", wheeled);
    viewport.removeEventListener("mousedown", mouseDown);
    window.removeEventListener("mousemove", mouseMoved);
    window.removeEventListener("mouseup", ended);
    viewport.removeEventListener("touchstart", touchStarted);
    viewport.removeEventListener("touchmove", touchMoved);
    viewport.removeEventListener("touchend", touchEnded);
    viewport.removeEventListener("touchcancel", touchEnded);
  };
}

const midpoint = ([a, b]: Point[]): Point => ({ x: (a!.x + b!.x) / 2, y: (a!.y + b!.y) / 2 });
const distance = ([a, b]: Point[]): number => Math.hypot(a!.x - b!.x, a!.y - b!.y);

/** Position of the picture: `zoom` 1 fits it; `x` and `y` move its centre, in screen pixels. */
interface PanZoom {
  zoom: number;
  x: number;
  y: number;
}

interface Box {
  width: number;
  height: number;
}

export const FITTED: PanZoom = { zoom: 1, x: 0, y: 0 };
export const MAX_ZOOM = 16;

export function fittedSize(picture: Box, viewport: Box): Box {
  const scale = Math.min(viewport.width / picture.width, viewport.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** Zooms about a point (from the viewport's centre), which stays in place. */
export function zoomedAt({ zoom, x, y }: PanZoom, factor: number, at: { x: number; y: number }): PanZoom {
  const next = Math.min(MAX_ZOOM, Math.max(1, zoom * factor));
  const ratio = next / zoom;
  return { zoom: next, x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio };
}

export function clamp({ zoom, x, y }: PanZoom, fitted: Box, viewport: Box): PanZoom {
  const limit = (size: number, room: number, value: number) => {
    const max = Math.max(0, (size * zoom - room) / 2);
    return Math.min(max, Math.max(-max, value));
  };
  return { zoom, x: limit(fitted.width, viewport.width, x), y: limit(fitted.height, viewport.height, y) };
}

interface Acts {
  imageId: number;
  isSideways: boolean;
  isToning: boolean;
  isToneServed: boolean;
  startsFull: boolean;
  isSecond?: boolean;
  onTone?(brightness: number, contrast: number): void;
  onStep?(step: 1 | -1): void;
  onFrame?(step: 1 | -1): void;
  onInvert?(): void;
  onTurn?(): void;
  onBack?(): void;
}

type Reach = "fitted" | "full" | "between";

const PIXELS_A_STEP = 40;
const ARROW_PIXELS = 60;

/**
 * Zoom by wheel, pinch, keys and buttons; move by dragging. Styles are set outside React, so that large pictures follow
 * the finger. `isLarge`: more pixels are needed than the screen preview has; `isFitted` and `isFull` describe the
 * position.
 */
export function usePanZoom(viewport: RefObject<HTMLDivElement>, acts: Acts) {
  const [isLarge, setLarge] = useState(acts.startsFull);
  const [lies, setLies] = useState<Reach>("fitted");
  const { imageId, isSideways } = acts;
  const panZoom = useRef<PanZoom>(FITTED);
  /** Original size, once all pixels have loaded. */
  const wantsFull = useRef(acts.startsFull);
  /** Kept while a larger version loads, so that gestures continue. */
  const picture = useRef<Box | null>(null);
  const latest = useRef(acts);
  useLayoutEffect(() => void (latest.current = acts));

  const show = useCallback(
    (next: PanZoom) => {
      const shown = inViewport(viewport, picture, imageId, isSideways);
      if (!shown) return;
      panZoom.current = clamp(next, shown.fitted, shown.size);
      const { zoom, x, y } = panZoom.current;
      shown.pan.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
      if (zoom > 1) setLarge(true);
      const isOwnSize = Math.abs(zoom - ownZoom(shown)) < 0.01;
      setLies(zoom === 1 ? "fitted" : isOwnSize ? "full" : "between");
    },
    [viewport, imageId, isSideways],
  );
  const zoomBy = useCallback(
    (factor: number, at = { x: 0, y: 0 }) => show(zoomedAt(panZoom.current, factor, at)),
    [show],
  );
  const fit = useCallback(() => {
    wantsFull.current = false;
    show(FITTED);
  }, [show]);
  const showFull = useCallback(() => {
    const shown = inViewport(viewport, picture, imageId, isSideways);
    if (shown) show({ ...FITTED, zoom: ownZoom(shown) });
  }, [show, viewport, imageId, isSideways]);
  const full = useCallback(() => {
    wantsFull.current = true;
    setLarge(true);
    showFull();
  }, [showFull]);

  useEffect(() => {
    panZoom.current = FITTED;
    show(FITTED);
  }, [show]);

  useEffect(() => {
    const box = viewport.current;
    const image = imageOn(box, imageId);
    if (!box || !image) return;
    picture.current = null;
    const arrived = () => {
      image.style.filter = "";
      if (wantsFull.current) showFull();
      else show(panZoom.current);
    };
    image.addEventListener("load", arrived);
    if (image.complete) arrived();
    if (!latest.current.isSecond && document.activeElement === document.body) box.focus({ preventScroll: true });
    const stop = watchPointers(box, {
      isZoomed: () => panZoom.current.zoom > 1,
      isToning: () => latest.current.isToning,
      zoom: (factor, at) => {
        wantsFull.current = false;
        zoomBy(factor, at);
      },
      move: (x, y) => show({ ...panZoom.current, x: panZoom.current.x + x, y: panZoom.current.y + y }),
      tone: (x, y, isDone) => {
        const [brightness, contrast] = [-y / PIXELS_A_STEP, x / PIXELS_A_STEP];
        // An approximation until the server's picture arrives: the browser has 8 of up to 16 bits.
        image.style.filter = `brightness(${Math.max(0.2, 1 + 0.2 * brightness)}) contrast(${1.25 ** contrast})`;
        if (!isDone) return;
        const steps = [Math.round(brightness), Math.round(contrast)] as const;
        const isMoved = steps[0] !== 0 || steps[1] !== 0;
        if (!isMoved || !latest.current.isToneServed) image.style.filter = "";
        if (isMoved) latest.current.onTone?.(...steps);
      },
    });
    const pressed = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof HTMLElement && event.target.closest("input, select, textarea, dialog");
      if (isElsewhere || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      // Single-character keys only with focus on the picture (WCAG 2.1.4).
      if (("+-0ir".includes(event.key) || latest.current.isSecond) && document.activeElement !== box) return;
      const other = document.activeElement?.closest(".viewport");
      if (other && other !== box && event.key !== "Escape") return;
      if (answer(event.key)) event.preventDefault();
    };
    const answer = (key: string): boolean => {
      const isZoomed = panZoom.current.zoom > 1;
      const move = (x: number, y: number) =>
        show({ ...panZoom.current, x: panZoom.current.x + x * ARROW_PIXELS, y: panZoom.current.y + y * ARROW_PIXELS });
      const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
      if (key === "Escape") latest.current.onBack?.();
      else if (key === "i") latest.current.onInvert?.();
      else if (key === "r") latest.current.onTurn?.();
      else if (key === "+") zoomBy(1.5);
      else if (key === "-") zoomBy(1 / 1.5);
      else if (key === "0") fit();
      else if (key === "ArrowLeft" || key === "ArrowRight") {
        if (isZoomed) move(-step, 0);
        else latest.current.onStep?.(step);
      } else if ((key === "ArrowUp" || key === "ArrowDown") && document.activeElement === box) {
        if (isZoomed) move(0, -step);
        else latest.current.onFrame?.(step);
      } else return false;
      return true;
    };
    const resized = () => {
      // A rotated picture needs the viewport's sides swapped, which CSS does not know.
      box.style.setProperty("--viewport-width", `${box.clientWidth}px`);
      box.style.setProperty("--viewport-height", `${box.clientHeight}px`);
      show(panZoom.current);
    };
    resized();
    document.addEventListener("keydown", pressed);
    window.addEventListener("resize", resized);
    return () => {
      stop();
      image.removeEventListener("load", arrived);
      document.removeEventListener("keydown", pressed);
      window.removeEventListener("resize", resized);
    };
  }, [viewport, imageId, show, showFull, zoomBy, fit]);

  return { isLarge, isFitted: lies === "fitted", isFull: lies === "full", fit, full, zoomBy };
}

interface Shown {
  pan: HTMLElement;
  image: HTMLImageElement;
  size: Box;
  fitted: Box;
}

const ownZoom = ({ image, fitted }: Shown) =>
  image.naturalWidth ? Math.max(image.naturalWidth, image.naturalHeight) / Math.max(fitted.width, fitted.height) : 1;

const imageOn = (box: HTMLElement | null, imageId: number) =>
  box?.querySelector<HTMLImageElement>(`img[data-image="${imageId}"]`) ?? null;

function inViewport(
  viewport: RefObject<HTMLDivElement>,
  picture: MutableRefObject<Box | null>,
  imageId: number,
  isSideways: boolean,
): Shown | null {
  const box = viewport.current;
  const image = imageOn(box, imageId);
  const pan = image?.closest<HTMLElement>(".pan");
  if (image?.naturalWidth) picture.current = { width: image.naturalWidth, height: image.naturalHeight };
  if (!box || !pan || !image || !picture.current) return null;
  const { width, height } = picture.current;
  const size = { width: box.clientWidth, height: box.clientHeight };
  return {
    pan,
    image,
    size,
    fitted: fittedSize(isSideways ? { width: height, height: width } : picture.current, size),
  };
}

export function useZoom(
  viewport: RefObject<HTMLDivElement>,
  referralId: number,
  { image, previousId, nextId }: Viewer,
  adjustments: Adjustments,
) {
  const navigate = useNavigate();
  const pages = useImagePages(referralId);
  const go = (to: string) => navigate(to, { replace: true, preventScrollReset: true });
  return usePanZoom(viewport, {
    imageId: image.id,
    isSideways: adjustments.turn % 180 !== 0,
    isToning: adjustments.tonePanel !== null,
    isToneServed: image.dicom !== null,
    startsFull: adjustments.isFull,
    onTone: (brightness, contrast) =>
      go(
        adjustments.hrefOf({
          brightness: adjustments.brightness + brightness,
          contrast: adjustments.contrast + contrast,
        }),
      ),
    onStep: (step) => {
      const next = step > 0 ? nextId : previousId;
      if (next !== null) go(adjustments.hrefOfOther(next));
    },
    onFrame: (step) => adjustments.slices.count > 1 && go(adjustments.slices.hrefOf(step)),
    onInvert: () => go(adjustments.hrefOf({ isInverted: !adjustments.isInverted })),
    onTurn: () => go(adjustments.hrefOf({ turn: adjustments.turned })),
    onBack: () => navigate(pages.images),
  });
}

export type Zoom = ReturnType<typeof useZoom>;
