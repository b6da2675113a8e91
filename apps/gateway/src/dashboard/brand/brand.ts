import { type BrandLogo, type BrandSettings, hasOwnName, readBrandLogo } from '@tollgate/adapters-config';
import { OWN_TOKEN_WORD } from '@tollgate/identity';
import { StartRefused } from '../../http/server/start-refused.js';

/** The operator's brand for the pages, with the content of the logo's file. */
export interface Brand extends BrandSettings {
  readonly logo: BrandLogo | null;
}

/** False if the pages look as they are built. */
export function isBranded({ name, logo, accent, tokenWord, supportUrl, imprintUrl, termsUrl, privacyUrl }: Brand): boolean {
  return !hasOwnName({ name }) || tokenWord.one !== OWN_TOKEN_WORD.one || tokenWord.many !== OWN_TOKEN_WORD.many || [logo, accent, supportUrl, imprintUrl, termsUrl, privacyUrl].some((part) => part !== null);
}

/** Reads the logo. Throws `StartRefused` if it cannot be used. */
export async function openBrand(settings: BrandSettings): Promise<Brand> {
  if (settings.logoFile === null) return { ...settings, logo: null };
  const reading = await readBrandLogo(settings.logoFile);
  if ('problem' in reading) throw new StartRefused([`BRAND_LOGO: ${reading.problem}`]);
  return { ...settings, logo: reading.logo };
}
