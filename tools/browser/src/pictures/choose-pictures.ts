import { createHash } from 'node:crypto';
import { type Look, type Picture, pictureName, picturesOf, SCHEMES, type Scheme, type State, type Width } from './state.js';

const DEFAULT_WIDTHS: readonly Width[] = [1280, 390];

export interface Choice {
  /** Parts of names; a picture is chosen if its name has one of them. Empty for all. */
  readonly only: readonly string[];
  /** `null` for the default looks of each state. */
  readonly schemes: readonly Scheme[] | null;
  readonly widths: readonly Width[] | null;
}

/** `only` selects among names with the chosen looks. Keeps the order. */
export function choosePictures(states: readonly State[], { only, schemes, widths }: Choice): readonly Picture[] {
  const chosen = schemes === null && widths === null ? picturesOf(states) : states.flatMap((state) => looksOf(state, schemes ?? SCHEMES, widths ?? DEFAULT_WIDTHS).map((look) => ({ state, look })));
  return only.length === 0 ? chosen : chosen.filter((picture) => only.some((text) => pictureName(picture).includes(text)));
}

function looksOf({ isNarrow = false }: State, schemes: readonly Scheme[], widths: readonly Width[]): readonly Look[] {
  return widths.filter((width) => !isNarrow || width === 390).flatMap((width) => schemes.map((scheme) => ({ scheme, width })));
}

/**
 * The same for the same seed. Keeps the order. A picture is drawn by its name alone, so that a further page changes a draw by little.
 */
export function drawPictures(pictures: readonly Picture[], count: number, seed: string): readonly Picture[] {
  const rankOf = (picture: Picture): string => createHash('sha256').update(`${seed}\n${pictureName(picture)}`).digest('hex');
  const drawn = new Set(pictures.map((picture) => [rankOf(picture), picture] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, count).map(([, picture]) => picture));
  return pictures.filter((picture) => drawn.has(picture));
}
