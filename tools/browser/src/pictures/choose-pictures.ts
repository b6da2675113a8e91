import { createHash } from 'node:crypto';
import { type Look, type Picture, pictureName, picturesOf, SCHEMES, type Scheme, type State, type Width } from './state.js';

const DEFAULT_WIDTHS: readonly Width[] = [1280, 390];

export interface Choice {
  /** Parts of names. A picture is chosen if its name contains one of them; all are chosen if the list is empty. */
  readonly only: readonly string[];
  /** Colour schemes to take; `null` for all, or for those of each state's default looks if `widths` is `null` too. */
  readonly schemes: readonly Scheme[] | null;
  readonly widths: readonly Width[] | null;
}

/** Chooses looks first, then the pictures whose names match `only`. Keeps the order of the states. */
export function choosePictures(states: readonly State[], { only, schemes, widths }: Choice): readonly Picture[] {
  const chosen = schemes === null && widths === null ? picturesOf(states) : states.flatMap((state) => looksOf(state, schemes ?? SCHEMES, widths ?? DEFAULT_WIDTHS).map((look) => ({ state, look })));
  return only.length === 0 ? chosen : chosen.filter((picture) => only.some((text) => pictureName(picture).includes(text)));
}

function looksOf({ isNarrow = false }: State, schemes: readonly Scheme[], widths: readonly Width[]): readonly Look[] {
  return widths.filter((width) => !isNarrow || width === 390).flatMap((width) => schemes.map((scheme) => ({ scheme, width })));
}

/**
 * Draws pictures at random, the same ones for the same seed, and keeps their order. A picture's rank depends on its name alone, so an additional
 * picture changes the draw by at most one picture.
 */
export function drawPictures(pictures: readonly Picture[], count: number, seed: string): readonly Picture[] {
  const rankOf = (picture: Picture): string => createHash('sha256').update(`${seed}\n${pictureName(picture)}`).digest('hex');
  const drawn = new Set(pictures.map((picture) => [rankOf(picture), picture] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, count).map(([, picture]) => picture));
  return pictures.filter((picture) => drawn.has(picture));
}
