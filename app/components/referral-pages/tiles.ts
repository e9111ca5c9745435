/** A referral of 1,000 images, which one ZIP makes, would hold everybody up for 0.2 seconds. */
const TILES_A_PAGE = 100;

/** The images of one page; the nearest one where there is no such page. */
export function tilesOfPage<T>(images: readonly T[], asked: number): { shown: T[]; page: number; pageCount: number } {
  const pageCount = Math.max(1, Math.ceil(images.length / TILES_A_PAGE));
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pageCount) : 1;
  return { shown: images.slice((page - 1) * TILES_A_PAGE, page * TILES_A_PAGE), page, pageCount };
}
