import { createHash } from 'node:crypto';
import type { Brand } from './brand.js';
import { accentTones } from '@tollgate/adapters-config';
import type { TokenWord } from '@tollgate/identity';

/** Paths below `/dashboard`. */
export const LOGO_PATH = '/brand-logo';
export const STYLES_PATH = '/brand.css';

/** What the page reads from its `brand` meta element. */
interface ShownBrand {
  readonly name: string;
  readonly logo: string | null;
  /** The word that the page uses for service tokens. */
  readonly tokenWord: TokenWord;
  readonly support: string | null;
  readonly imprint: string | null;
  readonly terms: string | null;
  readonly privacy: string | null;
}

/** The address contains a hash of the content, because browsers keep icons for long. */
function addressOf(path: string, content: string | Uint8Array): string {
  return `/dashboard${path}?v=${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
}

function shownOf({ name, logo, tokenWord, supportUrl, imprintUrl, termsUrl, privacyUrl }: Brand): ShownBrand {
  return { name, tokenWord, logo: logo === null ? null : addressOf(LOGO_PATH, logo.bytes), support: supportUrl, imprint: imprintUrl, terms: termsUrl, privacy: privacyUrl };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Style sheet of the accent colour; `null` without an accent. Its rules come after those of the design tokens, and are more specific. */
export function brandStyles({ accent }: Pick<Brand, 'accent'>): string | null {
  if (accent === null) return null;
  return Object.entries(accentTones(accent)).map(([scheme, { fill, fillHover, onFill, text, tint }]) => `:root:root[data-mantine-color-scheme='${scheme}'] {
  --primary: ${fill};
  --primary-hover: ${fillHover};
  --on-primary: ${onFill};
  --primary-tint: ${tint};
  --mantine-color-anchor: ${text};
}
`).join('');
}

/** The built page with the operator's name, icon and colours in its head, so that none of them appears late. */
export function brandedPage(html: string, brand: Brand): string {
  const shown = shownOf(brand);
  const styles = brandStyles(brand);
  const head = [
    `<meta name="brand" content="${escaped(JSON.stringify(shown))}">`,
    ...(styles === null ? [] : [`<link rel="stylesheet" href="${addressOf(STYLES_PATH, styles)}">`]),
  ];
  const named = html.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(brand.name)}</title>`)
    .replace('</head>', () => `${head.join('')}</head>`);
  return shown.logo === null ? named : named.replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escaped(shown.logo ?? '')}">`);
}
