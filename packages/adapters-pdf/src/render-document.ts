import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { openSync } from 'fontkit';
// eslint-disable-next-line import/no-named-as-default -- its types have no other export
import PDFDocument from 'pdfkit';
import type { PrintedBlock, PrintedColumn, PrintedDocument, PrintedTable } from './printed-document.js';

// Runs in a thread of its own. Imports only types from this package, so that the thread can run the source.

const FONTS = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json').replace(/package\.json$/, 'ttf/');
const [REGULAR, BOLD] = [`${FONTS}DejaVuSans.ttf`, `${FONTS}DejaVuSans-Bold.ttf`];

const MARGIN = 50;
const FOOTER_HEIGHT = 25;
const CELL_GAP = 6;
const ROW_GAP = 3;

const STYLES = {
  title: { tag: 'H1', font: BOLD, size: 20, after: 8 },
  heading: { tag: 'H2', font: BOLD, size: 12, after: 4 },
  paragraph: { tag: 'P', font: REGULAR, size: 9, after: 10 },
  note: { tag: 'P', font: REGULAR, size: 9, after: 12 },
} as const;

const TABLE_SIZE = 8;
const GREY = '#555555';
const BLACK = '#000000';
const LINE = '#bbbbbb';

/** Scripts that are drawn from left to right, glyph by glyph. */
const DRAWN = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}\n]$/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const fonts = [REGULAR, BOLD].map((path) => openSync(path) as { hasGlyphForCodePoint(codePoint: number): boolean });

function isDrawn(character: string): boolean {
  if (character === '\n') return true;
  const codePoint = character.codePointAt(0) ?? 0;
  return DRAWN.test(character) && !INVISIBLE.test(character) && fonts.every((font) => font.hasGlyphForCodePoint(codePoint));
}

/** A character that cannot be drawn is replaced by its code point, such as `[U+4E2D]`. */
function drawable(text: string): string {
  return Array.from(text, (character) => {
    if (isDrawn(character)) return character;
    return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
  }).join('');
}

interface Row {
  readonly cells: readonly string[];
  readonly isHead: boolean;
  readonly table: PDFKit.PDFStructureElement | null;
}

/** Draws blocks from top to bottom, each with its place in the structure that screen readers follow. */
class Drawing {
  readonly pdf;
  readonly #root;
  #y = MARGIN;

  constructor({ title, author, createdAt }: PrintedDocument) {
    this.pdf = new PDFDocument({
      size: 'A4', margin: MARGIN, pdfVersion: '1.7', tagged: true, lang: 'en', displayTitle: true, bufferPages: true, font: REGULAR,
      info: { Title: drawable(title), ...(author === null ? {} : { Author: drawable(author) }), CreationDate: new Date(createdAt), Creator: 'Statements', Producer: 'Statements' },
    });
    this.#root = this.pdf.struct('Document');
    this.pdf.addStructure(this.#root);
  }

  /** Draws a block. A heading begins a new page if the beginning of the table below it would not fit on this one. */
  block(block: PrintedBlock, below: PrintedBlock | null): void {
    if (block.kind === 'table') return this.table(block);
    const { tag, font, size, after } = STYLES[block.kind];
    const text = drawable(block.text);
    const beginning = block.kind === 'heading' && below?.kind === 'table' ? this.heightOfBeginning(below) : 0;
    this.pdf.font(font).fontSize(size).fillColor(block.kind === 'note' ? GREY : BLACK);
    this.makeRoom(this.pdf.heightOfString(text, { width: this.width }) + after + beginning);
    this.marked(tag, this.#root, () => this.pdf.text(text, MARGIN, this.#y, { width: this.width }));
    this.#y = this.pdf.y + after;
  }

  /** Writes the footer with the number of the page on every page, and returns the PDF. */
  async finish(footer: string): Promise<Uint8Array> {
    const { pdf } = this;
    const { start, count } = pdf.bufferedPageRange();
    const text = drawable(footer);
    for (let page = start; page < start + count; page += 1) {
      pdf.switchToPage(page);
      pdf.font(REGULAR).fontSize(7).fillColor(GREY);
      this.artifact('Pagination', () => pdf.text(`${text} · Page ${page + 1} of ${count}`, MARGIN, this.bottom + 10, { width: this.width, align: 'center', lineBreak: false }));
    }
    this.#root.end();
    pdf.end();
    return buffer(pdf);
  }

  private get width(): number {
    return this.pdf.page.width - 2 * MARGIN;
  }

  private get bottom(): number {
    return this.pdf.page.height - MARGIN - FOOTER_HEIGHT;
  }

  /** Begins a new page unless `height` is left on this one, or this one is empty. True if a page was begun. */
  private makeRoom(height: number): boolean {
    if (this.#y + height <= this.bottom || this.#y === MARGIN) return false;
    this.pdf.addPage();
    this.#y = MARGIN;
    return true;
  }

  private table({ columns, rows }: PrintedTable): void {
    const table = this.pdf.struct('Table');
    this.#root.add(table);
    const head = columns.map(({ title }) => title);
    this.row(columns, { cells: head, isHead: true, table });
    for (const cells of rows) {
      this.pdf.font(REGULAR).fontSize(TABLE_SIZE);
      if (this.makeRoom(this.heightOf(columns, cells.map(drawable)))) this.row(columns, { cells: head, isHead: true, table: null });
      this.row(columns, { cells, isHead: false, table });
    }
    table.end();
    this.#y += 12;
  }

  /** Height of the head and the first row. */
  private heightOfBeginning({ columns, rows: [first = []] }: PrintedTable): number {
    const heightIn = (font: string, cells: readonly string[]): number => {
      this.pdf.font(font).fontSize(TABLE_SIZE);
      return this.heightOf(columns, cells.map(drawable));
    };
    return heightIn(BOLD, columns.map(({ title }) => title)) + heightIn(REGULAR, first);
  }

  private heightOf(columns: readonly PrintedColumn[], cells: readonly string[]): number {
    const heights = columns.map(({ share }, index) => this.pdf.heightOfString(cells[index] || ' ', { width: this.widthOf(share) }));
    return Math.max(...heights) + 2 * ROW_GAP;
  }

  private widthOf(share: number): number {
    return share * this.width - CELL_GAP;
  }

  /** Draws a row. Without a `table`, the row repeats the head on a new page, and screen readers do not read it. */
  private row(columns: readonly PrintedColumn[], { cells, isHead, table }: Row): void {
    const { pdf } = this;
    const texts = cells.map(drawable);
    pdf.font(isHead ? BOLD : REGULAR).fontSize(TABLE_SIZE).fillColor(BLACK);
    const height = this.heightOf(columns, texts);
    const row = table === null ? null : pdf.struct('TR');
    let x = MARGIN;
    for (const [index, { share, align }] of columns.entries()) {
      this.marked(isHead ? 'TH' : 'TD', row, () => pdf.text(texts[index] ?? '', x, this.#y + ROW_GAP, { width: this.widthOf(share), align }));
      x += share * this.width;
    }
    this.#y += height;
    this.artifact('Layout', () => pdf.moveTo(MARGIN, this.#y).lineTo(MARGIN + this.width, this.#y).lineWidth(0.5).strokeColor(LINE).stroke());
    if (row === null) return;
    row.end();
    table?.add(row);
  }

  /** Draws content as a structure element, or, without a parent, as an artifact. */
  private marked(tag: string, parent: PDFKit.PDFStructureElement | null, draw: () => void): void {
    if (parent === null) return this.artifact('Pagination', draw);
    const content = this.pdf.markStructureContent(tag);
    draw();
    this.pdf.endMarkedContent();
    parent.add(this.pdf.struct(tag, {}, content));
  }

  private artifact(type: 'Layout' | 'Pagination', draw: () => void): void {
    this.pdf.markContent('Artifact', { type });
    draw();
    this.pdf.endMarkedContent();
  }
}

/** Returns the same bytes for the same document. Takes a few milliseconds per row. */
export async function renderDocument(document: PrintedDocument): Promise<Uint8Array> {
  const drawing = new Drawing(document);
  for (const [index, block] of document.blocks.entries()) drawing.block(block, document.blocks[index + 1] ?? null);
  return drawing.finish(document.footer);
}
