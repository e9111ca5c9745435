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
  /** Distance dragged since the button went down; `isDone` on release. */
  tone(x: number, y: number, isDone: boolean): void;
}

/**
 * Wheel, mouse and touch on the viewport; no pointer events, because iOS 12 lacks them. One finger scrolls the page
 * while the picture fits. Returns the stop function.
 */
export function watchPointers(viewport: HTMLElement, answers: Answers): () => void {
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
