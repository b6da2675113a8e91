/** Colours of a filled button, as `#rrggbb`. */
interface ButtonTones {
  readonly fill: string;
  /** Colour of text on the fill. */
  readonly onFill: string;
}

/** Colours of messages, and whether they have a picture. */
export interface MailLook {
  readonly light: ButtonTones;
  readonly dark: ButtonTones;
  /** True if the transport attaches a picture under `MAIL_PICTURE_ID`. */
  readonly hasPicture: boolean;
}

/** The same colours as in the dashboard's design tokens. */
export const OWN_TONES: Omit<MailLook, 'hasPicture'> = { light: { fill: '#0b6370', onFill: '#ffffff' }, dark: { fill: '#4cc3cd', onFill: '#062327' } };

/** The logo of the service in a format that mail programs show; many do not show SVG. */
export interface MailPicture {
  readonly mediaType: 'image/png';
  readonly bytes: Uint8Array;
}

/** Content id of the attachment, by which the HTML refers to it (`cid:`, RFC 2392). */
export const MAIL_PICTURE_ID = 'mark@inline';
