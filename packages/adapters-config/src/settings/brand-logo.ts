import { readFileSync, statSync } from 'node:fs';
import type { IOptions } from 'sanitize-html';

export interface BrandLogo {
  readonly mediaType: 'image/svg+xml' | 'image/png';
  readonly bytes: Uint8Array;
}

const MAX_BYTES = 65_536;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Elements of SVG 2 for shapes, structure, paint and text. None runs code. */
const ELEMENTS = [
  'svg', 'g', 'defs', 'title', 'desc', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'linearGradient', 'radialGradient', 'stop',
  'clipPath', 'mask', 'use', 'symbol',
];
const ATTRIBUTES = [
  'xmlns', 'version', 'viewBox', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'd', 'points', 'transform', 'id', 'role', 'aria-label',
  'fill', 'fill-rule', 'fill-opacity', 'clip-rule', 'clip-path', 'mask', 'opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit',
  'stroke-dasharray', 'stroke-dashoffset', 'stroke-opacity', 'gradientUnits', 'gradientTransform', 'spreadMethod', 'offset', 'stop-color', 'stop-opacity', 'clipPathUnits',
  'maskUnits', 'maskContentUnits', 'preserveAspectRatio', 'href', 'font-family', 'font-size', 'font-weight', 'letter-spacing', 'text-anchor', 'dx', 'dy',
];

const SANITIZING: IOptions = {
  allowedTags: ELEMENTS, allowedAttributes: { '*': ATTRIBUTES }, allowedSchemes: [], allowedSchemesAppliedToAttributes: ['href'], allowProtocolRelative: false,
  // Removes elements whose `href` refers to anything but an element of the same file.
  exclusiveFilter: ({ attribs }) => attribs['href'] !== undefined && !attribs['href'].startsWith('#'),
  parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false }, selfClosing: [],
};

function isPng(bytes: Uint8Array): boolean {
  return PNG_SIGNATURE.every((byte, position) => bytes[position] === byte);
}

/** `null` if the file cannot be read, is too large or is not a PNG. */
export function readPng(path: string): Uint8Array | null {
  try {
    const bytes = statSync(path).size > MAX_BYTES ? null : readFileSync(path);
    return bytes !== null && isPng(bytes) ? bytes : null;
  } catch {
    return null;
  }
}

export type LogoReading = { readonly logo: BrandLogo } | { readonly problem: string };

/**
 * Reads a logo. An SVG is reduced to drawing elements, by a library that is loaded only for this. A problem is one line, and quotes nothing of the
 * file.
 */
export async function readBrandLogo(path: string): Promise<LogoReading> {
  try {
    if (statSync(path).size > MAX_BYTES) return { problem: `the file ${path} has more than 64 KiB` };
    const bytes = readFileSync(path);
    if (isPng(bytes)) return { logo: { mediaType: 'image/png', bytes } };
    const { default: sanitizeHtml } = await import('sanitize-html');
    const drawing = sanitizeHtml(bytes.toString('utf8'), SANITIZING).trim();
    if (drawing.startsWith('<svg')) return { logo: { mediaType: 'image/svg+xml', bytes: Buffer.from(drawing) } };
    return { problem: `the file ${path} is neither SVG nor PNG` };
  } catch (thrown) {
    return { problem: `the file ${path} cannot be read: ${(thrown as NodeJS.ErrnoException).message}` };
  }
}
