import { ItemPrinter, type WrittenItems } from './written-items.js';
import { TextPrinter, type WrittenTexts } from './written-texts.js';

/** How a JSON text was written, as far as a printer can copy it. */
export interface Writing {
  readonly texts: WrittenTexts | null;
  /** The members of the list that makes up most of the text; `null` where it has none. */
  readonly items: WrittenItems | null;
}

const NOTHING: Writing = { texts: null, items: null };

/** The writing of one text, for one printer: it takes as much memory as the text, and a request may wait for minutes once it is sent. */
export class JsonSource {
  readonly language = 'json';
  #writing: Writing;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** Gives the writing away: later calls give nothing to copy. */
  take(): Writing {
    const writing = this.#writing;
    this.#writing = NOTHING;
    return writing;
  }
}

/** A source as the domain passes it on, without knowing what is in it. */
export interface OpaqueSource {
  readonly language: 'json';
}

/** Prints the parts of one value: those that its source holds unchanged are copied. */
export interface SourcePrinter {
  readonly texts: TextPrinter;
  readonly items: ItemPrinter;
}

/** Takes the source's writing, so that a second printer for it prints everything. */
export function printerFor(source: OpaqueSource | null): SourcePrinter {
  const { texts: written, items } = source instanceof JsonSource ? source.take() : NOTHING;
  const texts = new TextPrinter(written);
  return { texts, items: new ItemPrinter(items, texts) };
}
