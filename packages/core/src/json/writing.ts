import { ItemPrinter, type WrittenItems } from './written-items.js';
import { TextPrinter, type WrittenTexts } from './written-texts.js';

/** How a JSON text was written, as far as it can be copied by whoever prints much the same again. */
export interface Writing {
  readonly texts: WrittenTexts;
  /** The members of the list that makes up most of it; `null` where it has none. */
  readonly items: WrittenItems | null;
}

/** What prints the parts of one value. */
export interface Printers {
  readonly texts: TextPrinter;
  readonly items: ItemPrinter;
}

const writings = new WeakMap<object, Writing>();

/** Keeps with a value how it was written. */
export function keepWriting(value: unknown, writing: Writing): void {
  if (typeof value === 'object' && value !== null && (writing.texts.count > 0 || writing.items !== null)) writings.set(value, writing);
}

/** Hands on how a value was written, to what was made of it; of the value itself it is not known any more. */
export function passWriting<Made extends object>(value: unknown, made: Made): Made {
  const writing = typeof value === 'object' && value !== null ? writings.get(value) : undefined;
  if (writing === undefined) return made;
  writings.delete(value as object);
  writings.set(made, writing);
  return made;
}

const PLAIN_TEXTS = new TextPrinter(null);
/** What prints the parts of values that nothing is known of; it remembers nothing either. */
const PLAIN: Printers = { texts: PLAIN_TEXTS, items: new ItemPrinter(null, PLAIN_TEXTS) };

/** What prints the parts of a value. How they were written can be had once: it takes as much memory as they do, and is then given up. */
export function takePrinters(value: object): Printers {
  const writing = writings.get(value);
  if (writing === undefined) return PLAIN;
  writings.delete(value);
  const texts = new TextPrinter(writing.texts);
  return { texts, items: new ItemPrinter(writing.items, texts) };
}
