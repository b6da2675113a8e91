/** How the operator brands the service, as the gateway writes it into the page. Links are `https:`, `http:` or `mailto:`. */
export interface Brand {
  readonly name: string;
  readonly logo: string | null;
  /** What one and many service tokens are called. */
  readonly tokenWord: { readonly one: string; readonly many: string };
  readonly support: string | null;
  readonly imprint: string | null;
  readonly terms: string | null;
  readonly privacy: string | null;
}

/** Word for service tokens if the operator has not chosen one. */
export const OWN_TOKEN_WORD = { one: 'service token', many: 'service tokens' };

const OWN: Brand = { name: 'Tollgate', logo: null, tokenWord: OWN_TOKEN_WORD, support: null, imprint: null, terms: null, privacy: null };

/** `content` is the attribute of the meta element, `null` without one. */
export function readBrand(content: string | null): Brand {
  return content === null ? OWN : { ...OWN, ...JSON.parse(content) as Partial<Brand> };
}

/** Read once, so that texts are constants. */
export const brand = readBrand(typeof document === 'undefined' ? null : document.querySelector('meta[name="brand"]')?.getAttribute('content') ?? null);

/** True if the operator has not renamed the service. */
export const isOwnName = brand.name === OWN.name;
