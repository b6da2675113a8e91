import { QRCodeSVG } from 'qrcode.react';
import { factors } from '#texts/factors';

const SIDE = 192;
/** Margin in modules, required by scanners. */
const QUIET_ZONE = 4;

/** A QR code, black on white in every scheme, as scanners need it. */
export default function QrCode({ text }: { readonly text: string }) {
  return <QRCodeSVG value={text} title={factors.qrCode} size={SIDE} marginSize={QUIET_ZONE} bgColor="#ffffff" fgColor="#000000" />;
}
