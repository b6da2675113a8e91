import { QRCodeSVG } from 'qrcode.react';
import { factors } from '#texts/factors';

const SIDE = 192;
/** In modules: readers want it. */
const QUIET_ZONE = 4;

/** Black on white in every colour scheme, as readers expect it. */
export default function QrCode({ text }: { readonly text: string }) {
  return <QRCodeSVG value={text} title={factors.qrCode} size={SIDE} marginSize={QUIET_ZONE} bgColor="#ffffff" fgColor="#000000" />;
}
