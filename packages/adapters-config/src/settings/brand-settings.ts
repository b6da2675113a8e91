import type { PublishedDocument, TokenWord } from '@tollgate/identity';
import { BRAND_VARIABLES } from './brand-variables.js';
import type { VariableValues } from './variables.js';

export interface BrandSettings {
  readonly name: string;
  readonly logoFile: string | null;
  /** `#rrggbb`, in lower case. */
  readonly accent: string | null;
  /** What service tokens are called. */
  readonly tokenWord: TokenWord;
  /** Target of links: `mailto:` or `https:`. */
  readonly supportUrl: string | null;
  readonly imprintUrl: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
  /** What owners agree to: the terms and the privacy notice, if they are set. */
  readonly documents: readonly PublishedDocument[];
}

type BrandValues = Pick<VariableValues, 'BRAND_NAME' | 'BRAND_LOGO' | 'BRAND_ACCENT' | 'BRAND_TOKEN_WORD' | 'SUPPORT_CONTACT' | 'IMPRINT_URL' | 'TERMS_URL' | 'TERMS_VERSION' | 'PRIVACY_URL' | 'PRIVACY_VERSION'>;

const FIRST_VERSION = '1';

/** `null` if the values do not contradict each other. */
export function brandProblem(values: BrandValues): string | null {
  const alone = (['TERMS', 'PRIVACY'] as const).find((name) => values[`${name}_URL`] === null && values[`${name}_VERSION`] !== null);
  return alone === undefined ? null : `${alone}_VERSION: must not be set without ${alone}_URL`;
}

function publishedDocuments({ TERMS_URL: termsUrl, TERMS_VERSION: terms, PRIVACY_URL: privacyUrl, PRIVACY_VERSION: privacy }: BrandValues): readonly PublishedDocument[] {
  return [
    ...(termsUrl === null ? [] : [{ document: 'terms', version: terms ?? FIRST_VERSION, url: termsUrl } as const]),
    ...(privacyUrl === null ? [] : [{ document: 'privacy', version: privacy ?? FIRST_VERSION, url: privacyUrl } as const]),
  ];
}

/** The name of the service; `null` if it is the gateway's own. */
export function givenName({ BRAND_NAME: name }: Pick<VariableValues, 'BRAND_NAME'>): string | null {
  return name === BRAND_VARIABLES.BRAND_NAME.default ? null : name;
}

export function hasOwnName({ name }: Pick<BrandSettings, 'name'>): boolean {
  return name === BRAND_VARIABLES.BRAND_NAME.default;
}

export function brandSettings(values: BrandValues): BrandSettings {
  return {
    name: values.BRAND_NAME, logoFile: values.BRAND_LOGO, accent: values.BRAND_ACCENT, tokenWord: values.BRAND_TOKEN_WORD, supportUrl: values.SUPPORT_CONTACT, imprintUrl: values.IMPRINT_URL,
    termsUrl: values.TERMS_URL, privacyUrl: values.PRIVACY_URL, documents: publishedDocuments(values),
  };
}
