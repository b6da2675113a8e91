import { inflateSync } from 'node:zlib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface ReadPdf {
  /** Text of each page. */
  readonly pages: readonly string[];
  /** The tags that screen readers follow, in order. A cell with content is followed by `TD.`. */
  readonly tags: readonly string[];
  readonly info: Readonly<Record<string, unknown>>;
}

interface StructNode {
  readonly role?: string;
  readonly type?: string;
  readonly children?: readonly StructNode[];
}

function tagsOf({ role, children = [] }: StructNode): readonly string[] {
  const filled = role === 'TD' && children.some(({ type }) => type === 'content') ? ['TD.'] : [];
  return [...(role === undefined ? [] : [role]), ...filled, ...children.flatMap(tagsOf)];
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages: string[] = [];
  const tags: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' ').replaceAll(/\s+/g, ' '));
    tags.push(...tagsOf(await page.getStructTree()));
  }
  const { info } = await document.getMetadata();
  return { pages, tags, info: info as Readonly<Record<string, unknown>> };
}

/** The objects and the decompressed streams of the file, each as a text. */
export function partsOfPdf(bytes: Uint8Array): readonly string[] {
  const file = Buffer.from(bytes).toString('latin1');
  const streams = [...file.matchAll(/\bstream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, content = '']) => content);
  return [file, ...streams.map((content) => inflated(content) ?? content)];
}

/** The decompressed stream, or `null` if it is not compressed. */
function inflated(content: string): string | null {
  try {
    return inflateSync(Buffer.from(content, 'latin1')).toString('latin1');
  } catch {
    return null;
  }
}
