import type { VariableValues } from './variables.js';

/** The operator's own face. */
export interface BrandSettings {
  readonly name: string;
  readonly logoFile: string | null;
  /** `#rrggbb`, in lower case. */
  readonly accent: string | null;
  /** For links: `mailto:` or `https:`. */
  readonly supportUrl: string | null;
  readonly imprintUrl: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
}

type BrandValues = Pick<VariableValues, 'BRAND_NAME' | 'BRAND_LOGO' | 'BRAND_ACCENT' | 'SUPPORT_CONTACT' | 'IMPRINT_URL' | 'TERMS_URL' | 'PRIVACY_URL'>;

export function brandSettings(values: BrandValues): BrandSettings {
  return {
    name: values.BRAND_NAME, logoFile: values.BRAND_LOGO, accent: values.BRAND_ACCENT, supportUrl: values.SUPPORT_CONTACT, imprintUrl: values.IMPRINT_URL,
    termsUrl: values.TERMS_URL, privacyUrl: values.PRIVACY_URL,
  };
}
