/** Position of the picture: `zoom` 1 fits it; `x` and `y` move its centre, in screen pixels. */
export interface PanZoom {
  zoom: number;
  x: number;
  y: number;
}

export interface Box {
  width: number;
  height: number;
}

export const FITTED: PanZoom = { zoom: 1, x: 0, y: 0 };
export const MAX_ZOOM = 16;

/** Size of a picture fitted into the viewport. */
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

/** Limits movement to the picture's edges. */
export function clamp({ zoom, x, y }: PanZoom, fitted: Box, viewport: Box): PanZoom {
  const limit = (size: number, room: number, value: number) => {
    const max = Math.max(0, (size * zoom - room) / 2);
    return Math.min(max, Math.max(-max, value));
  };
  return { zoom, x: limit(fitted.width, viewport.width, x), y: limit(fitted.height, viewport.height, y) };
}
