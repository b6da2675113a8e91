import { type MailLook, type MailPicture, OWN_TONES } from '@tollgate/identity';
import { accentTones } from './brand-accent.js';
import { readPng } from './brand-logo.js';
import { type BrandSettings, hasOwnName } from './brand-settings.js';
import { OWN_MARK } from './own-mark.js';

export interface MailAppearance {
  readonly look: MailLook;
  /**
   * `null` if the logo file is not a PNG that can be used, because many mail programs do not show SVG. Also `null` if the operator has given
   * a name and no logo.
   */
  readonly picture: MailPicture | null;
}

function pictureOf({ name, logoFile }: BrandSettings): MailPicture | null {
  if (logoFile === null) return hasOwnName({ name }) ? OWN_MARK : null;
  const bytes = readPng(logoFile);
  return bytes === null ? null : { mediaType: 'image/png', bytes };
}

/** Derives the look of messages from the operator's brand. Reads the file of the logo. */
export function mailAppearance(brand: BrandSettings): MailAppearance {
  const picture = pictureOf(brand);
  return { look: { ...(brand.accent === null ? OWN_TONES : accentTones(brand.accent)), hasPicture: picture !== null }, picture };
}
