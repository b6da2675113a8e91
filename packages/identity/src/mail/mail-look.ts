/** Colours of a filled button, as `#rrggbb`. */
interface ButtonTones {
  readonly fill: string;
  /** Colour of text on the fill. */
  readonly onFill: string;
}

/** Colours and sign of messages. */
export interface MailLook {
  readonly light: ButtonTones;
  readonly dark: ButtonTones;
  /** Whether the transport attaches a picture under `MAIL_PICTURE_ID`. */
  readonly hasPicture: boolean;
}

/** As in the dashboard's design tokens. */
export const OWN_TONES: Omit<MailLook, 'hasPicture'> = { light: { fill: '#0b6370', onFill: '#ffffff' }, dark: { fill: '#4cc3cd', onFill: '#062327' } };

/** The sign of the service, as mail programs draw it: many draw no SVG. */
export interface MailPicture {
  readonly mediaType: 'image/png';
  readonly bytes: Uint8Array;
}

/** RFC 2392: the HTML names the attachment by it, as `cid:`. */
export const MAIL_PICTURE_ID = 'mark@inline';
