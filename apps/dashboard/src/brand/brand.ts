/** The operator's own face, as the gateway writes it into the page. Links are `https:`, `http:` or `mailto:`. */
export interface Brand {
  readonly name: string;
  readonly logo: string | null;
  readonly support: string | null;
  readonly imprint: string | null;
  readonly terms: string | null;
  readonly privacy: string | null;
}

const OWN: Brand = { name: 'Tollgate', logo: null, support: null, imprint: null, terms: null, privacy: null };

/** `content`: of the meta element; `null` without one. */
export function readBrand(content: string | null): Brand {
  return content === null ? OWN : { ...OWN, ...JSON.parse(content) as Partial<Brand> };
}

/** Read once, so that texts are constants. */
export const brand = readBrand(typeof document === 'undefined' ? null : document.querySelector('meta[name="brand"]')?.getAttribute('content') ?? null);

/** Whether the service keeps the name of the product. */
export const isOwnName = brand.name === OWN.name;
