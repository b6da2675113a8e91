import { type Document, LineCounter, isNode, parseDocument } from 'yaml';
import type { CatalogueProblem } from './loaded-catalogue.js';

/** More aliases than this in one file are an attack or a mistake. */
const MAXIMUM_ALIASES = 1_000;

export type Path = readonly (string | number)[];

/** A catalogue's text as plain data, able to tell the line of each of its parts. */
export interface CatalogueText {
  /** Maps, lists and texts only: numbers stay as they were written, so that no price passes through a float. */
  readonly content: unknown;
  /** A part with numbers, booleans and nulls as YAML means them, for what is passed on rather than read. */
  typed(path: Path): unknown;
  /** The line of a part, or of the nearest thing around it that is there. */
  lineOf(path: Path): number;
}

export type TextReading = { readonly text: CatalogueText } | { readonly problems: readonly CatalogueProblem[] };

/** Reads YAML. The failsafe schema knows no numbers, booleans or nulls: all scalars are texts. */
export function readCatalogueText(source: string): TextReading {
  const lines = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problems = document.errors.map(({ pos: [offset], message }) => ({ line: lines.linePos(offset).line, path: '', message }));
  if (problems.length > 0) return { problems };
  return {
    text: {
      content: document.toJS({ maxAliasCount: MAXIMUM_ALIASES }) as unknown,
      typed: (path) => typedPart(source, path),
      lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
    },
  };
}

function typedPart(source: string, path: Path): unknown {
  const document = parseDocument(source, { schema: 'core' });
  return path.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], document.toJS({ maxAliasCount: MAXIMUM_ALIASES }));
}

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
