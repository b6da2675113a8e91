/** The colours that the dashboard derives from an accent, for one colour scheme. */
export interface AccentTones {
  /** Colour of filled buttons and marks. */
  readonly fill: string;
  readonly fillHover: string;
  /** Colour of text on the fill. */
  readonly onFill: string;
  /** Text on the page and on the tint. */
  readonly text: string;
  /** Background of selected rows and similar parts. */
  readonly tint: string;
}

interface Scheme {
  readonly page: string;
  /** Colour towards which tones move to stand out from the page. */
  readonly away: string;
}

/** The dashboard's design tokens. `page` is the colour of the page or of the card, whichever contrasts less with text. */
const SCHEMES = { light: { page: '#f8f8f5', away: '#000000' }, dark: { page: '#171c1d', away: '#ffffff' } } as const satisfies Readonly<Record<string, Scheme>>;
/** Colours of text on a fill; on every fill, at least one of them is readable. */
const TEXTS_ON_FILL = ['#ffffff', '#000000'] as const;
/** Minimum contrast of parts of the interface (WCAG 2.2, 1.4.11). */
const LEAST_FOR_PARTS = 3;
/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const LEAST_FOR_TEXT = 4.5;
const HOVER = 0.14;
const TINT = 0.1;
const STEP = 0.05;

export const ACCENT_PATTERN = /^#[0-9a-f]{6}$/;

type Channels = readonly [red: number, green: number, blue: number];

function channelsOf(colour: string): Channels {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, as WCAG 2.2 defines it: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function mixed(colour: string, other: string, share: number): string {
  const [from, to] = [channelsOf(colour), channelsOf(other)];
  const channels = from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function textOn(fill: string): string {
  const [light, dark] = TEXTS_ON_FILL;
  return contrastOf(light, fill) >= LEAST_FOR_TEXT ? light : dark;
}

/** Moves the accent away from the page until it is readable on all of the backgrounds. */
function readable(accent: string, { away }: Scheme, backgrounds: readonly string[]): string {
  let share = 0;
  while (backgrounds.some((background) => contrastOf(mixed(accent, away, share), background) < LEAST_FOR_TEXT)) share += STEP;
  return mixed(accent, away, share);
}

function rounded(ratio: number): string {
  return `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;
}

/** Says why the accent is refused, with its contrast. `null` if the accent stands out from the page in both schemes. */
export function accentProblem(accent: string): string | null {
  for (const [name, { page }] of Object.entries(SCHEMES)) {
    const ratio = contrastOf(accent, page);
    if (ratio < LEAST_FOR_PARTS) return `has a contrast of ${rounded(ratio)} with the page in the ${name} scheme; at least ${LEAST_FOR_PARTS}:1 is needed in both`;
  }
  return null;
}

/** Requires an accent for which `accentProblem` is `null`. */
export function accentTones(accent: string): Readonly<Record<keyof typeof SCHEMES, AccentTones>> {
  const tonesOn = (scheme: Scheme): AccentTones => {
    const tint = mixed(scheme.page, accent, TINT);
    return {
      // The hovered fill moves away from the colour of its text, so that the text stays readable.
      fill: accent, fillHover: mixed(accent, textOn(accent) === TEXTS_ON_FILL[0] ? '#000000' : '#ffffff', HOVER), onFill: textOn(accent), text: readable(accent, scheme, [scheme.page, tint]), tint,
    };
  };
  return { light: tonesOn(SCHEMES.light), dark: tonesOn(SCHEMES.dark) };
}
