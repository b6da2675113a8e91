import { QRCodeSVG } from 'qrcode.react';
import { factors } from '#texts/factors';

const SIDE = 192;
/** Margin in modules, required by scanners. */
const QUIET_ZONE = 4;

/** Black on white in every scheme, for scanners. */
export default function QrCode({ text }: { readonly text: string }) {
  return <QRCodeSVG value={text} title={factors.qrCode} size={SIDE} marginSize={QUIET_ZONE} bgColor="#ffffff" fgColor="#000000" />;
}
